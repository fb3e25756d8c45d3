import type { FastifyBaseLogger } from "fastify";
import type { Kql } from "#engines/kql/kql.ts";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import type { Access } from "./access.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { ResultLimits } from "./protocol/truncation.ts";
import type { Ingest } from "./ingestion/ingest.ts";
import type { PrincipalRoles } from "./principals.ts";
import type { Activities } from "./queries/activities.ts";
import type { Operations } from "./queries/operations.ts";

export interface QueryLimits extends ResultLimits {
  /** Unless the request asks for less or more. */
  readonly queryTimeoutMs: number;
  readonly commandTimeoutMs: number;
  /** Queries that run at once. */
  readonly queriesMax: number;
  /** Of one streaming ingestion, as sent. */
  readonly ingestBytesMax: number;
}

/** Where the rest of Atoll answers. */
export interface Addresses {
  readonly cluster: () => string;
  readonly ingestion: () => string;
  /** Where tokens are issued. */
  readonly auth: () => string;
  /** The page on which people write queries. */
  readonly queryPage: () => string;
  /** Origins whose pages may call from a browser. */
  readonly allowedOrigins: () => readonly string[];
}

/** What every operation works with. */
export interface Context {
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly access: Access;
  readonly engine: Kql;
  readonly catalog: Catalog;
  readonly activities: Activities;
  readonly operations: Operations;
  readonly principals: PrincipalRoles;
  /** Of data that a command brings or names. */
  readonly ingest: Ingest;
  /** Of data that is the body of a request. */
  readonly ingestStream: Ingest;
  readonly outbound: OutboundFetch;
  readonly limits: QueryLimits;
  readonly addresses: Addresses;
  readonly version: string;
  readonly startedOn: Date;
}

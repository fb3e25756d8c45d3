import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { openDuckDb } from "#engines/duckdb/open-duckdb.ts";
import { openKql } from "#engines/kql/kql.ts";
import { runtimeFunctions } from "#engines/kql/runtime/functions.ts";
import type { Decide } from "#platform/auth/access.ts";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { describeRoutes } from "#platform/http/openapi.ts";
import type { Service } from "#platform/service.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { createAccess } from "./access.ts";
import { openCatalog } from "./catalog/open-catalog.ts";
import { startRetention } from "./queries/retention.ts";
import type { Addresses, Context, QueryLimits } from "./context.ts";
import { createIngest } from "./ingestion/ingest.ts";
import type { PrincipalRoles } from "./principals.ts";
import { createActivities } from "./queries/activities.ts";
import { openOperations } from "./queries/operations.ts";
import { dataManagementRoutes, engineRoutes } from "./routes.ts";
import { migrations, type QueryTables } from "./store.ts";
import { createExternalText } from "./queries/external-text.ts";

export { QUERY_ADMIN_ROLE_ID, queryRoles } from "./roles.ts";
export type { PrincipalRoles, RoleGrant } from "./principals.ts";

/** Bytes of one source of `.ingest into`, unpacked. */
const SOURCE_BYTES_MAX = 64 * 1024 ** 3;
/** Bytes that one byte of a streaming ingestion may unpack to. */
const UNPACKED_PER_BYTE_MAX = 32;

export interface QueryOptions {
  readonly location: StoreLocation;
  /** Folder of the service, or `memory` for data that goes with the process. */
  readonly data: { readonly dir: string; readonly inMemory?: boolean };
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly decide: Decide;
  readonly outbound: OutboundFetch;
  readonly principals: PrincipalRoles;
  readonly addresses: Addresses;
  /** The path of the cluster, as role assignments name it. */
  readonly clusterScope: string;
  readonly version: string;
  /** The database that always exists, and that requests without one mean. */
  readonly database: string;
  readonly limits: QueryLimits;
  readonly resources: {
    readonly threads: number;
    /** As DuckDB reads it, such as `4GB`. */
    readonly memoryLimit: string;
    /** Queries that may wait; the next one is refused. */
    readonly queuedMax: number;
  };
}

/** The query service, open: its routes answer on the query and on the ingest listener. */
export interface QueryService extends Service {
  readonly openapi: () => object;
}

/** Opens the databases; everything acknowledged before is there. */
export async function openQuery(options: QueryOptions): Promise<QueryService> {
  const { environment } = options;
  const { sql, catalog } = await openData(options);
  const store = await openStore<QueryTables>({ location: options.location, migrations });
  const operations = await openOperations(store, environment);
  const context: Context = {
    environment,
    log: options.log,
    access: createAccess(options.decide, options.clusterScope),
    engine: openKql({
      sql,
      functions: runtimeFunctions,
      fetchExternal: createExternalText(options),
    }),
    catalog,
    ingest: createIngest({ catalog, bytesMax: SOURCE_BYTES_MAX }),
    ingestStream: createIngest({
      catalog,
      bytesMax: options.limits.ingestBytesMax * UNPACKED_PER_BYTE_MAX,
    }),
    outbound: options.outbound,
    activities: createActivities(environment.now),
    operations,
    principals: options.principals,
    limits: options.limits,
    addresses: options.addresses,
    version: options.version,
    startedOn: environment.now(),
  };
  const retention = startRetention(catalog, options.log);
  let describe: (() => object) | undefined;

  return {
    name: "query",
    routes: {
      async query(app) {
        const description = "Queries, management commands and streaming ingestion.";
        describe = describeRoutes(app, { title: "Atoll query", version: "1", description });
        await app.register(engineRoutes(context));
      },
      ingest: dataManagementRoutes(context),
    },
    openapi: () => describe?.() ?? {},
    health: () => Promise.resolve({ status: "ok" }),
    async stop() {
      await retention.stop();
      await operations.stop();
      await store.close();
      await sql.stop();
    },
  };
}

async function openData({ data, environment, database, limits, resources }: QueryOptions) {
  const dir = resolve(data.dir);
  await mkdir(dir, { recursive: true });
  const sql = await openDuckDb({
    location: data.inMemory === true ? "memory" : { file: join(dir, "query.duckdb") },
    landingDir: join(dir, "landing"),
    tempDir: join(dir, "temporary"),
    threads: resources.threads,
    memoryLimit: resources.memoryLimit,
    maxQueries: limits.queriesMax,
    maxQueued: resources.queuedMax,
    functions: runtimeFunctions,
  });
  const catalog = await openCatalog({ sql, environment, defaultDatabase: database });
  return { sql, catalog };
}

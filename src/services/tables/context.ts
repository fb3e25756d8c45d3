import type { FastifyBaseLogger } from "fastify";
import type { Caller } from "#platform/auth/caller.ts";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import type { Store } from "#platform/store/store.ts";
import type { Access } from "./access.ts";
import type { Catalog } from "./definitions/catalog.ts";
import type { Steps } from "./events/steps.ts";
import type { Dialect, Reader } from "./storage/sql.ts";
import type { TablesTables } from "./store.ts";

/** What the operations need from the rest of Atoll: nothing global, nothing hidden. */
export interface Context {
  readonly store: Store<TablesTables>;
  readonly dialect: Dialect;
  /** Reads what is committed; inside of a write, its own writer is what to read with. */
  readonly reader: Reader;
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly access: Access;
  readonly catalog: Catalog;
  readonly organization: Organization;
  readonly principals: Principals;
  /** Users that are known to have a row. */
  readonly users: Set<string>;
  readonly outbound: OutboundFetch;
  readonly steps: Steps;
  /** Called when something was recorded that is to be told. */
  readonly wake: () => void;
  /** Secrets as they are stored. */
  readonly seal: (plain: string) => string;
  readonly unseal: (sealed: string) => string;
}

/** Whose tables these are. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** The business unit that every user is in at first. */
  readonly businessUnitId: string;
}

/** Who can call, as the identity service knows them. */
export interface Principals {
  readonly find: (
    objectId: string,
  ) =>
    | { readonly displayName: string; readonly name: string; readonly kind: Caller["kind"] }
    | undefined;
}

/** On whose behalf something is done. */
export interface Actor {
  readonly caller: Caller;
  /** Id of the user's row: the caller's, or that of who is impersonated. */
  readonly userId: string;
  /** Id of the caller's own row while somebody is impersonated. */
  readonly behalfOf: string | undefined;
}

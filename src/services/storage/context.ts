import type { FastifyBaseLogger } from "fastify";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import type { Decide } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import type { Sealer } from "#platform/seal.ts";
import type { Store } from "#platform/store/store.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Copies } from "./copy/copies.ts";
import type { Scopes } from "./encryption/scopes.ts";
import type { Catalog } from "./state/catalog.ts";
import type { InFlight } from "./state/in-flight.ts";
import type { StorageTables } from "./store.ts";

export interface StorageAccount {
  readonly name: string;
  /** Base64; all of them are valid at once. */
  readonly keys: readonly string[];
}

/** What the rest of Atoll does for the blob service. */
export interface StorageContext {
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly decide: Decide;
  /** Verifies a bearer token for one of the audiences; throws a `Problem` with 401. */
  readonly verifyToken: (token: string, audiences: readonly string[]) => Promise<Caller>;
  readonly audiences: () => readonly string[];
  readonly outbound: OutboundFetch;
  /** Where blobs of this store answer, such as `http://127.0.0.1:10000`. */
  readonly listenersOrigins: () => readonly string[];
  /** Accounts that are there from the start, whose keys do not change. */
  readonly accounts: readonly StorageAccount[];
  /** An account of this store's own, with random keys; made at the first start. */
  readonly ownAccount?: string;
  /** Called once an account has other keys than before. */
  readonly keysChanged?: (account: string) => Promise<void>;
  /** Keeps secrets at rest. */
  readonly sealer: Sealer;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Take bearer tokens, and customers' keys, on plain HTTP as well. */
  readonly plainHttpSecrets: boolean;
}

/** What every operation works with. */
export interface Context extends Omit<StorageContext, "accounts"> {
  readonly accounts: Accounts;
  readonly store: Store<StorageTables>;
  readonly blocks: BlockStore;
  readonly catalog: Catalog;
  readonly inFlight: InFlight;
  readonly copies: Copies;
  readonly scopes: Scopes;
  /** Keys of each account at this moment, decoded. */
  readonly keys: ReadonlyMap<string, readonly Uint8Array[]>;
}

import { join } from "node:path";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import type { Service } from "#platform/service.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { accountRows } from "./accounts/account-rows.ts";
import { openAccounts } from "./accounts/accounts.ts";
import { clearAccount } from "./accounts/clear-account.ts";
import type { StorageContext } from "./context.ts";
import { resumeCopies } from "./copy/copy-foreign.ts";
import { createCopies } from "./copy/copies.ts";
import { openScopes } from "./encryption/scopes.ts";
import { createManagement } from "./management.ts";
import { describeStorage } from "./openapi.ts";
import { storageRoutes } from "./routes.ts";
import { openCatalog } from "./state/catalog.ts";
import { createCompaction } from "./state/compaction.ts";
import { createGarbage } from "./state/garbage.ts";
import { createInFlight } from "./state/in-flight.ts";
import { restoreFromRedo } from "./state/redo.ts";
import { migrations, type StorageTables } from "./store.ts";

export { STORAGE_DATA_OWNER_ROLE_ID, storageRoles } from "./roles.ts";

export interface StorageOptions extends StorageContext {
  readonly location: StoreLocation;
  /** Folder of the service; the bytes of blobs lie below it. */
  readonly dir: string;
  /** Stands between the service and the files that keep the bytes of blobs. */
  readonly wrapBlocks?: (files: BlockStore) => BlockStore;
  /** Size of those files; a longer upload gets one of its own. */
  readonly extentBytesMax?: number;
}

/** The blob service, open: its routes answer on the blob listener. */
export interface StorageService extends Service {
  readonly openapi: () => object;
  /** Names of all accounts. */
  readonly accountNames: () => readonly string[];
  /** Base64; the first key of an account at this moment. */
  readonly accountKey: (account: string) => string;
}

/** Opens the tables and the bytes of blobs; everything acknowledged before is there. */
export async function openStorage(options: StorageOptions): Promise<StorageService> {
  const { location, environment, log, sealer, ownAccount: own } = options;
  const store = await openStore<StorageTables>({ location, migrations });
  const dir = join(options.dir, "extents");
  await restoreFromRedo(store, dir);
  const { extentBytesMax, wrapBlocks = (files) => files } = options;
  const files = await openExtentFiles({ dir, ...(extentBytesMax && { extentBytesMax }) });
  const blocks = wrapBlocks(files);
  const inFlight = createInFlight();
  const failed = (error: unknown) => log.error(error, "Unused space could not be given back");
  const garbage = createGarbage({ store, blocks, inFlight, failed });
  const emptied = garbage.collectSoon;
  const compaction = createCompaction({ store, blocks, inFlight, emptied, failed });
  const tookAway = () => {
    garbage.collectSoon();
    compaction.examineSoon();
  };
  const catalog = await openCatalog(store, blocks, environment.now, tookAway);
  tookAway();
  const rows = accountRows(store, sealer);
  const accounts = await openAccounts({ rows, environment, fixed: options.accounts, own });
  const scopes = await openScopes({ store, sealer, environment });
  const clear = (name: string) => clearAccount({ catalog, scopes, store }, name);
  for (const name of accounts.leaving()) await accounts.remove(name, () => clear(name));
  const copies = createCopies((error) => log.error(error, "A copy has failed"));
  const { keys } = accounts;
  const context = { ...options, accounts, store, blocks, catalog, inFlight, copies, scopes, keys };
  const management = createManagement(context);
  await resumeCopies(context);

  return {
    name: "storage",
    routes: { blob: storageRoutes(context), gateway: management.routes },
    openapi: () => describeStorage(management.describe()),
    accountNames: () => accounts.list().map(({ name }) => name),
    accountKey: (name) => accounts.find(name)?.keys[0]?.value ?? "",
    async health() {
      const failure = catalog.failure();
      if (failure === undefined) return { status: "ok" };
      return { status: "failed", detail: `Writing to disk failed: ${failure.message}` };
    },
    async stop() {
      await copies.stop();
      await compaction.stop();
      await garbage.stop();
      await catalog.drain();
      await blocks.close();
      await store.close();
    },
  };
}

import { openSqliteStore } from "./sqlite-store.ts";
import type { Migration, Store, StoreLocation } from "./store.ts";

export interface StoreOptions {
  readonly location: StoreLocation;
  readonly migrations: readonly Migration[];
}

/** Opens a service's tables and brings them to the newest version. */
export async function openStore<Tables>(options: StoreOptions): Promise<Store<Tables>> {
  const { location, migrations } = options;
  if (location.kind === "memory") return openSqliteStore<Tables>(undefined, migrations);
  if (location.kind === "sqlite") return openSqliteStore<Tables>(location.file, migrations);
  // The driver is only loaded where a Postgres server is used.
  const { openPostgresStore } = await import("./postgres-store.ts");
  return openPostgresStore<Tables>(location, migrations);
}

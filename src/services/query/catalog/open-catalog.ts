import { loadCatalog, type Catalog, type CatalogOptions } from "./catalog.ts";
import { createDatabase } from "./databases.ts";

/** Loads the catalogue, and makes the default database when it is not there. */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const catalog = await loadCatalog(options);
  await createDatabase(catalog, { name: options.defaultDatabase, ifNotExists: true });
  return catalog;
}

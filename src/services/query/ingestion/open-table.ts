import type { Catalog } from "../catalog/catalog.ts";
import { databaseOf, tableOf, type CatalogTable } from "../catalog/catalog-schema.ts";
import { parseMapping, type ColumnMapping } from "../catalog/mapping-text.ts";
import { findMapping } from "../catalog/mappings.ts";
import { formatNamed, type Format } from "./formats.ts";
import type { RowOptions } from "./records.ts";
import type { IngestRequest } from "./request.ts";

export interface OpenedTable extends Disposable {
  readonly options: RowOptions;
}

/** Shares the lock of the table, and reads the schema and mapping that hold from then on. */
export async function openTable(catalog: Catalog, request: IngestRequest): Promise<OpenedTable> {
  const format = formatNamed(request.format);
  using held = new DisposableStack();
  for (;;) {
    const { id } = tableOf(databaseOf(catalog.schema(), request.database), request.table);
    const lock = held.use(await catalog.lockOf(id).shared());
    const database = databaseOf(catalog.schema(), request.database);
    const table = tableOf(database, request.table);
    // While it waited, the name may have gone to another table.
    if (table.id !== id) {
      lock[Symbol.dispose]();
      continue;
    }
    const { ignoreFirstRecord = false, badRows = "fail", sourceName = "" } = request;
    const mapping = mappingOf(catalog, request, { format, table });
    const options = { format, table, mapping, ignoreFirstRecord, badRows, sourceName };
    const moved = held.move();
    return { options, [Symbol.dispose]: () => moved.dispose() };
  }
}

function mappingOf(
  catalog: Catalog,
  { mapping, database }: IngestRequest,
  { format, table }: { readonly format: Format; readonly table: CatalogTable },
): readonly ColumnMapping[] | undefined {
  if (mapping === undefined) return undefined;
  const kind = format.mapping;
  if ("text" in mapping) return parseMapping(kind, mapping.text);
  const place = databaseOf(catalog.schema(), database);
  return parseMapping(kind, findMapping(place, table, { kind, name: mapping.name }).text);
}

import type { KqlColumn, KqlValue } from "#engines/kql/types.ts";
import type { Environment } from "#platform/environment.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { withConnection } from "../catalog/catalog.ts";
import { CatalogError, notFound } from "../catalog/catalog-error.ts";
import {
  databaseOf,
  physicalColumns,
  tableOf,
  type CatalogTable,
} from "../catalog/catalog-schema.ts";
import { storeExtent } from "../catalog/extents.ts";
import { ticksOf } from "../catalog/ticks.ts";
import { appendTarget, markedRows } from "../ingestion/marked-rows.ts";

/** Rows that a query has made, and where they go. */
export interface AppendRows {
  readonly database: string;
  readonly table: string;
  readonly tags: readonly string[];
  /** Ticks, in place of now. */
  readonly creationTime: bigint | undefined;
  /** Those of the table, in the order in which the rows have them. */
  readonly columns: readonly KqlColumn[];
  readonly rows: AsyncIterable<readonly (readonly KqlValue[])[]>;
  /** In place of what the table holds. */
  readonly replace: boolean;
}

export interface Appended {
  readonly extentId: string;
  readonly rows: number;
}

/** Adds the rows, all or none; durable once it resolves. */
export async function appendRows(
  catalog: Catalog,
  { newId, now }: Environment,
  request: AppendRows,
): Promise<Appended> {
  const find = () => tableOf(databaseOf(catalog.schema(), request.database), request.table);
  const { id } = find();
  const lock = catalog.lockOf(id);
  using held = new DisposableStack();
  held.use(await (request.replace ? lock.exclusive() : lock.shared()));
  const table = find();
  if (table.id !== id) throw notFound("Table", request.table, request.database);
  const extent = {
    id: newId(),
    createdOn: request.creationTime ?? ticksOf(now()),
    tags: request.tags,
    originalSize: 0n,
  };
  let rows = 0;
  await withConnection(catalog.sql, (connection) =>
    connection.transaction(async () => {
      if (request.replace) {
        await connection.run(`truncate ${table.sqlName}`);
        await connection.run(`delete from atoll_catalog.extents where table_id = ${table.id}`);
      }
      const ingested = request.creationTime ?? ticksOf(now());
      const counted = storedRows(table, request, (count) => (rows += count));
      const stored = mapRows(counted, (chunk) => markedRows(chunk, extent.id, ingested));
      await connection.append(appendTarget(table), stored);
      await storeExtent(connection, table.id, extent);
    }),
  );
  return { extentId: extent.id, rows };
}

type Rows = readonly (readonly KqlValue[])[];

async function* mapRows(rows: AsyncIterable<Rows>, change: (chunk: Rows) => Rows) {
  for await (const chunk of rows) yield change(chunk);
}

/** The rows in the order in which the table stores its columns. */
async function* storedRows(
  table: CatalogTable,
  { columns, rows }: AppendRows,
  count: (rows: number) => void,
): AsyncGenerator<Rows> {
  const places = physicalColumns(table).map(({ name }) => {
    return columns.findIndex((column) => column.name === name);
  });
  if (places.filter((place) => place >= 0).length < columns.length) {
    throw new CatalogError("invalid-schema", `Table '${table.name}' has changed meanwhile.`);
  }
  for await (const chunk of rows) {
    count(chunk.length);
    yield chunk.map((row) => places.map((place) => row[place] ?? null));
  }
}

import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import { sqlText } from "#engines/duckdb/sql-text.ts";
import type { KqlColumn } from "#engines/kql/types.ts";
import { withConnection, type Catalog } from "./catalog.ts";
import {
  databaseOf,
  EXTENT_COLUMN,
  INGESTED_COLUMN,
  tableOf,
  type CatalogTable,
} from "./catalog-schema.ts";
import { retentionPeriod } from "./policies.ts";
import type { TableName } from "./tables.ts";
import { ticksOf } from "./ticks.ts";

/** The rows that one ingestion brought, or several small ones that came after each other. */
export interface Extent {
  readonly id: string;
  readonly rows: bigint;
  /** Ticks. */
  readonly createdOn: bigint;
  readonly minIngestedOn: bigint;
  readonly maxIngestedOn: bigint;
  readonly tags: readonly string[];
  /** Bytes as they were sent; 0 for what came in small requests. */
  readonly originalSize: bigint;
}

/**
 * Notes an extent, in the transaction that brings its rows. One that is not noted has no tags, and
 * was created when its first row was ingested.
 */
export async function storeExtent(
  connection: DuckDbConnection,
  tableId: number,
  extent: Pick<Extent, "id" | "createdOn" | "tags" | "originalSize">,
): Promise<void> {
  const { id, createdOn, tags, originalSize } = extent;
  const values = [sqlText(id), tableId, createdOn, sqlText(JSON.stringify(tags)), originalSize];
  await connection.run(`insert into atoll_catalog.extents values (${values.join(", ")})`);
}

const COLUMNS: readonly KqlColumn[] = [
  { name: "id", type: "guid" },
  { name: "rows", type: "long" },
  { name: "created", type: "datetime" },
  { name: "first", type: "datetime" },
  { name: "last", type: "datetime" },
  { name: "tags", type: "string" },
  { name: "size", type: "long" },
];

/** The extents of a table that hold rows, oldest first. */
export async function listExtents(catalog: Catalog, name: TableName): Promise<readonly Extent[]> {
  const table = tableOf(databaseOf(catalog.schema(), name.database), name.table);
  const sql = `
    select found.extent, rows, coalesce(created, first), first, last,
      coalesce(tags, '[]'), coalesce(original_size, 0)
    from (
      select ${EXTENT_COLUMN} as extent, count(*) as rows,
        min(${INGESTED_COLUMN}) as first, max(${INGESTED_COLUMN}) as last
      from ${table.sqlName} group by all
    ) found left join atoll_catalog.extents e
      on e.id = found.extent and e.table_id = ${table.id}
    order by first, found.extent`;
  const rows = await withConnection(catalog.sql, (connection) =>
    Array.fromAsync(connection.rows(sql, COLUMNS)),
  );
  return rows.flat().map(([id, count, created, first, last, tags, size]) => ({
    id: typeof id === "string" ? id : "",
    rows: BigInt(Number(count)),
    createdOn: ticks(created),
    minIngestedOn: ticks(first),
    maxIngestedOn: ticks(last),
    tags: tagsOf(tags),
    originalSize: BigInt(Number(size)),
  }));
}

/** Drops extents with their rows. Gives how many rows there were. */
export async function dropExtents(
  catalog: Catalog,
  name: TableName,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await catalog.changeTables(
    (schema) => [tableOf(databaseOf(schema, name.database), name.table)],
    async (change) => {
      const { id, sqlName } = tableOf(databaseOf(change.schema(), name.database), name.table);
      const list = ids.map(sqlText).join(", ");
      await change.connection.run(`delete from ${sqlName} where ${EXTENT_COLUMN} in (${list})`);
      await change.connection.run(
        `delete from atoll_catalog.extents where table_id = ${id} and id in (${list})`,
      );
    },
  );
}

/** Drops rows that are older than the retention policy of their table or database keeps them. */
export async function enforceRetention(catalog: Catalog): Promise<void> {
  const now = ticksOf(catalog.environment.now());
  for (const database of catalog.schema().databases) {
    for (const table of database.tables) {
      const period = retentionPeriod(table.policies["retention"] ?? database.policies["retention"]);
      if (period !== undefined) await dropOlder(catalog, table, now - period);
    }
  }
}

async function dropOlder(catalog: Catalog, table: CatalogTable, limit: bigint): Promise<void> {
  const { id, sqlName } = table;
  function stillThere() {
    return catalog
      .schema()
      .databases.flatMap(({ tables }) => tables.filter((one) => one.id === id));
  }
  const old = `from ${sqlName} where ${INGESTED_COLUMN} < ${limit}`;
  const [first] = stillThere();
  if (first === undefined || !(await exists(catalog, old))) return;
  await catalog.changeTables(stillThere, async ({ connection }) => {
    if (stillThere().length === 0) return;
    await connection.run(`delete ${old}`);
    await connection.run(`
      delete from atoll_catalog.extents where table_id = ${id}
        and id not in (select distinct ${EXTENT_COLUMN} from ${sqlName})`);
  });
}

async function exists(catalog: Catalog, from: string): Promise<boolean> {
  const columns: readonly KqlColumn[] = [{ name: "x", type: "int" }];
  const rows = await withConnection(catalog.sql, (connection) =>
    Array.fromAsync(connection.rows(`select 1 ${from} limit 1`, columns)),
  );
  return rows.length > 0;
}

function ticks(value: unknown): bigint {
  return typeof value === "bigint" ? value : 0n;
}

function tagsOf(text: unknown): readonly string[] {
  // Written by `storeExtent`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(String(text)) as string[];
}

import { createReadStream } from "node:fs";
import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { storeExtent } from "../catalog/extents.ts";
import { ticksOf } from "../catalog/ticks.ts";
import { bulkTextSql, countInserted, type BulkTarget } from "./bulk-text.ts";
import { appendTarget, markedRows } from "./marked-rows.ts";
import { openTable } from "./open-table.ts";
import { parquetSql } from "./parquet.ts";
import { rowsOfData, type RowOptions } from "./records.ts";
import type { IngestRequest, IngestResult } from "./request.ts";
import type { LandedFile } from "./source.ts";

interface Written {
  readonly rows: number;
  readonly skipped: number;
}

/** Ingests a file of the landing folder in a transaction of its own. */
export async function ingestFile(
  catalog: Catalog,
  request: IngestRequest,
  file: LandedFile,
): Promise<IngestResult> {
  const { creationTime, tags = [], signal } = request;
  const { sql, environment } = catalog;
  using opened = await openTable(catalog, request);
  const { options } = opened;
  const ingested = creationTime ?? ticksOf(environment.now());
  const target = { extent: environment.newId(), ingested, file: file.path };
  await using connection = await sql.connect({ signal, lane: "ingestion" });
  const written = await write(connection, target, options, async () => {
    const extent = { id: target.extent, createdOn: ingested, tags };
    const originalSize = BigInt(file.size);
    await storeExtent(connection, options.table.id, { ...extent, originalSize });
  });
  return { extentId: written.rows === 0 ? undefined : target.extent, ...written, size: file.size };
}

async function write(
  connection: DuckDbConnection,
  target: BulkTarget,
  options: RowOptions,
  note: () => Promise<void>,
): Promise<Written> {
  const bulk = await bulkSql(connection, target, options);
  if (bulk !== undefined) {
    try {
      return await connection.transaction(async () => {
        await note();
        return { rows: await countInserted(connection, bulk), skipped: 0 };
      });
    } catch (error) {
      // Our own parser takes more, and knows better what is wrong.
      if (!isCsvError(error)) throw error;
    }
  }
  return await connection.transaction(async () => {
    await note();
    return await appendFile(connection, target, options);
  });
}

async function bulkSql(
  connection: DuckDbConnection,
  target: BulkTarget,
  options: RowOptions,
): Promise<string | undefined> {
  return options.format.layout.kind === "parquet"
    ? await parquetSql(connection, target, options)
    : await bulkTextSql(target, options);
}

function isCsvError(error: unknown): boolean {
  return error instanceof Error && /\bCSV\b/u.test(error.message);
}

/** Reads a file with our own parsers. */
async function appendFile(
  connection: DuckDbConnection,
  { extent, ingested, file }: BulkTarget,
  options: RowOptions,
): Promise<Written> {
  const written = { rows: 0, skipped: 0 };
  async function* chunks() {
    const source = createReadStream(file, { highWaterMark: 256 * 1024 });
    for await (const { rows, skipped } of rowsOfData(source, options)) {
      written.rows += rows.length;
      written.skipped += skipped;
      yield markedRows(rows, extent, ingested);
    }
  }
  await connection.append(appendTarget(options.table), chunks());
  return written;
}

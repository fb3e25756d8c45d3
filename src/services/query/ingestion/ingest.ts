import type { Catalog } from "../catalog/catalog.ts";
import { databaseOf, tableOf } from "../catalog/catalog-schema.ts";
import { formatNamed } from "./formats.ts";
import { createGroupCommits } from "./group-commits.ts";
import { ingestFile } from "./ingest-file.ts";
import { IngestionError } from "./ingestion-error.ts";
import { openTable } from "./open-table.ts";
import { rowsOfData } from "./records.ts";
import type { IngestRequest, IngestResult } from "./request.ts";
import { isGzip, land, openSource, unpack } from "./source.ts";
import { ingestionFunctions } from "./text-sql.ts";

/** A small body that unpacks to more is put into a file first, as large ones are. */
const UNPACKED_SMALL_BYTES_MAX = 8 * 1024 * 1024;

export interface IngestionOptions {
  readonly catalog: Catalog;
  /** Most bytes of one request, unpacked. */
  readonly bytesMax: number;
}

export type Ingest = (request: IngestRequest) => Promise<IngestResult>;

/**
 * Ingestion into tables. All rows of a request or none; when it resolves, they are durable and
 * every query from then on sees them.
 */
export function createIngest({ catalog, bytesMax }: IngestionOptions): Ingest {
  const { sql, environment } = catalog;
  sql.addFunctions(ingestionFunctions);
  const commits = createGroupCommits(catalog);

  async function ingestSmall(request: IngestRequest, bytes: Uint8Array): Promise<IngestResult> {
    const { tags = [], creationTime, signal } = request;
    using opened = await openTable(catalog, request);
    const batches = await Array.fromAsync(rowsOfData(once(bytes), opened.options));
    signal.throwIfAborted();
    const rows = batches.flatMap((batch) => batch.rows);
    const skipped = batches.reduce((sum, batch) => sum + batch.skipped, 0);
    const all = { table: opened.options.table, rows, tags, creationTime };
    const extentId = rows.length === 0 ? undefined : await commits.commit(all);
    return { extentId, rows: rows.length, skipped, size: bytes.length };
  }

  return async function ingest(request) {
    const format = formatNamed(request.format);
    tableOf(databaseOf(catalog.schema(), request.database), request.table);
    const source = await openSource(request.body);
    const isParquet = format.layout.kind === "parquet";
    const bytes = source.kind === "small" && !isParquet ? unpackSmall(source.bytes) : undefined;
    if (bytes !== undefined) return await ingestSmall(request, bytes);
    const stream = source.kind === "small" ? once(source.bytes) : source.stream;
    const { newId } = environment;
    const landing = { dir: sql.landingDir, newId, bytesMax, signal: request.signal };
    await using file = await land(stream, landing);
    return await ingestFile(catalog, request, file);
  };
}

/** Undefined when it unpacks to more than is done in memory. */
function unpackSmall(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return isGzip(bytes) ? unpack(bytes, UNPACKED_SMALL_BYTES_MAX) : bytes;
  } catch (error) {
    if (error instanceof IngestionError && error.kind === "too-large") return undefined;
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

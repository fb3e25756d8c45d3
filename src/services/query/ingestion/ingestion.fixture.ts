import type { KqlType, KqlValue } from "#engines/kql/types.ts";
import type { DuckDbOptions } from "#engines/duckdb/open-duckdb.ts";
import { tableNamed, testCatalog, type TestCatalog } from "../catalog/catalog.fixture.ts";
import { createTable } from "../catalog/tables.ts";
import { createIngest } from "./ingest.ts";
import type { IngestRequest, IngestResult } from "./request.ts";

export interface TestIngestion extends TestCatalog {
  /** Ingests into the table `T` of the database `db`. */
  readonly ingest: (
    data: string | Uint8Array,
    request?: Partial<Omit<IngestRequest, "body">>,
  ) => Promise<IngestResult>;
  /** The rows of `T`, in the order in which they came. */
  readonly stored: () => Promise<readonly (readonly KqlValue[])[]>;
}

/** A database with one table `T` of these columns. */
export async function testIngestion(
  columns: Readonly<Record<string, KqlType>>,
  options: Partial<DuckDbOptions> = {},
): Promise<TestIngestion> {
  const opened = await testCatalog(options);
  const { catalog } = opened;
  const list = Object.entries(columns).map(([name, type]) => ({ name, type }));
  await createTable(catalog, { database: "db", table: "T", columns: list });
  const ingest = createIngest({ catalog, bytesMax: 64 * 1024 * 1024 });
  return {
    ...opened,
    ingest: (data, request = {}) =>
      ingest({
        database: "db",
        table: "T",
        format: "csv",
        signal: new AbortController().signal,
        ...request,
        body: parts(typeof data === "string" ? Buffer.from(data) : data),
      }),
    stored() {
      const table = tableNamed(catalog, "T");
      const names = table.columns.map(({ sqlName }) => sqlName).join(", ");
      return opened.rows(`select ${names} from ${table.sqlName} order by rowid`, table.columns);
    },
  };
}

/** Small parts, cut anywhere, as they come over a network. */
async function* parts(data: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = data.length > 10_000 ? 65_537 : 7;
  for (let start = 0; start < data.length; start += size) yield data.subarray(start, start + size);
}

/** Blank lines until there is more than is read into memory, so that the data goes by a file. */
export const LARGE = "\n".repeat(1024 * 1024 + 1);

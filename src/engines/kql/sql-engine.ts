import type { KqlColumn, KqlValue } from "./types.ts";

/** What the query engine needs of the SQL engine below it; `engines/duckdb` is the first. */
export interface SqlEngine {
  /** A connection for one request; at most so many at a time, the others wait in a queue. */
  readonly connect: (options: ConnectOptions) => Promise<SqlConnection>;
  readonly stop: () => Promise<void>;
}

export interface ConnectOptions {
  /** Ends the statement that runs (time-out, cancel, client gone); the reason is thrown. */
  readonly signal: AbortSignal;
  /** `management` does not wait behind queries. */
  readonly lane: "query" | "management";
}

export interface SqlConnection extends AsyncDisposable {
  readonly run: (sql: string) => Promise<void>;
  /** The first column of each row, in chunks as they are made; used for rows built as JSON text. */
  readonly texts: (sql: string) => AsyncIterable<readonly string[]>;
  /** Rows as values of the columns' types, in chunks. */
  readonly rows: (
    sql: string,
    columns: readonly KqlColumn[],
  ) => AsyncIterable<readonly (readonly KqlValue[])[]>;
  /** A temporary table of this connection, filled from rows; gone when the connection is. */
  readonly createTemporary: (
    sqlName: string,
    columns: readonly KqlColumn[],
    rows: AsyncIterable<readonly (readonly KqlValue[])[]>,
  ) => Promise<void>;
}

import type {
  DuckDBAppender,
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBValue,
} from "@duckdb/node-api";
import { KqlError } from "#engines/kql/kql-error.ts";
import type { SqlConnection } from "#engines/kql/sql-engine.ts";
import type { KqlType, KqlValue } from "#engines/kql/types.ts";
import { unpackError } from "./errors.ts";
import { CHUNK_ROWS, createChunk, rowsOf, sqlType } from "./values.ts";

/** DuckDB forgets an interrupt that comes before the statement has begun: it is repeated. */
const INTERRUPT_EVERY_MS = 10;

/** Left to itself an appender flushes so many rows at once that all else has to wait. */
const FLUSH_ROWS = 16_384;

type Rows = readonly (readonly KqlValue[])[];

/** A table to append to; the names as the catalogue knows them, without quotes. */
export interface AppendTarget {
  readonly schema: string;
  readonly table: string;
  readonly types: readonly KqlType[];
}

export interface DuckDbConnection extends SqlConnection {
  /** All of `work` or nothing; when this resolves, it survives a crash. */
  readonly transaction: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Appends chunks of rows, inside of a `transaction`. What gives the rows must not read from
   * this connection: an appender ends such a result.
   */
  readonly append: (
    target: AppendTarget,
    chunks: AsyncIterable<Rows> | Iterable<Rows>,
  ) => Promise<void>;
}

interface Guarded {
  readonly connection: DuckDBConnection;
  readonly signal: AbortSignal;
  /** Steps under way. */
  readonly steps: Set<Promise<unknown>>;
}

/** Wraps a connection of one request. `release` is called once, when it is disposed of. */
export function createConnection(
  { connection, signal }: Omit<Guarded, "steps">,
  release: () => void,
): DuckDbConnection {
  const guarded: Guarded = { connection, signal, steps: new Set() };
  let isOpen = true;

  async function run(sql: string): Promise<void> {
    await guard(guarded, () => connection.run(sql));
  }

  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    await run("begin transaction");
    try {
      const result = await work();
      signal.throwIfAborted();
      // Not interrupted: whoever is told of a failure must be able to trust it.
      await connection.run("commit").catch(rethrow);
      return result;
    } catch (error) {
      // A failed commit, or a failure that is not the caller's, has already rolled back.
      await connection.run("rollback").catch(() => undefined);
      throw error;
    }
  }

  return {
    run,
    transaction,
    texts: (sql) => texts(guarded, sql),
    rows: (sql, columns) => {
      const types = columns.map(({ type }) => type);
      return typedRows(guarded, sql, types);
    },
    append: (target, source) => append(guarded, { ...target, catalog: undefined }, source),
    async createTemporary(sqlName, columns, rows) {
      const types = columns.map(({ type }) => type);
      const list = types.map((type, index) => `c${index} ${sqlType(type)}`);
      await run(`create temporary table ${sqlName} (${list.join(", ")})`);
      const target = { catalog: "temp", schema: "main", table: unquoted(sqlName), types };
      // All of them first: an appender would end a result that is read on this connection.
      await append(guarded, target, await Array.fromAsync(rows));
    },
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      // To disconnect is to wait for what still runs, and all else would wait with it.
      await endSteps(guarded);
      connection.disconnectSync();
      release();
    },
  };
}

async function endSteps({ connection, steps }: Guarded): Promise<void> {
  if (steps.size === 0) return;
  const timer = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  connection.interrupt();
  await Promise.allSettled(steps);
  clearInterval(timer);
}

/** Runs one step on the connection; an abort ends it, and its reason is thrown. */
async function guard<T>(
  { connection, signal, steps }: Guarded,
  step: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  function interrupt() {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  }
  signal.addEventListener("abort", interrupt, { once: true });
  const running = step();
  steps.add(running);
  try {
    return await running;
  } catch (error) {
    signal.throwIfAborted();
    throw unpackError(error);
  } finally {
    steps.delete(running);
    signal.removeEventListener("abort", interrupt);
    clearInterval(timer);
  }
}

function rethrow(error: unknown): never {
  throw unpackError(error);
}

/** Chunks as they are made: DuckDB computes little further than what has been taken. */
async function* chunks(guarded: Guarded, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await guard(guarded, () => guarded.connection.stream(sql));
  for (;;) {
    const chunk = await guard(guarded, () => result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk;
  }
}

/**
 * The driver ends a stream that fails as if it were complete. So a row of NULL is sent after the
 * last one: without it, something is missing.
 */
async function* texts(guarded: Guarded, sql: string): AsyncGenerator<readonly string[]> {
  let isWhole = false;
  for await (const chunk of chunks(guarded, `select * from (${sql}) union all select null`)) {
    const vector = chunk.getColumnVector(0);
    const items: string[] = [];
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const item = vector.getItem(row);
      if (item === null) isWhole = true;
      else items.push(text(item));
    }
    if (items.length > 0) yield items;
  }
  guarded.signal.throwIfAborted();
  if (!isWhole) throw await failureOf(guarded, sql);
}

/** Why a stream ended early. The driver does not tell; the statement does when it runs again. */
async function failureOf(guarded: Guarded, sql: string): Promise<unknown> {
  try {
    const again = `select max(length(x)) from (${sql}) as t(x)`;
    await guard(guarded, () => guarded.connection.run(again));
  } catch (error) {
    return error;
  }
  return new KqlError("runtime", "The query failed while its rows were being read.");
}

/** All rows are there before the first is given, so that a failure shows. */
async function* typedRows(
  guarded: Guarded,
  sql: string,
  types: readonly KqlType[],
): AsyncGenerator<Rows> {
  const result = await guard(guarded, () => guarded.connection.run(sql));
  for (let index = 0; index < result.chunkCount; index += 1) {
    guarded.signal.throwIfAborted();
    yield rowsOf(result.getChunk(index), types);
  }
}

function text(value: DuckDBValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  throw new TypeError("The first column of these rows is not text.");
}

interface Appending extends AppendTarget {
  readonly catalog: string | undefined;
}

async function append(
  { connection, signal }: Guarded,
  { catalog, schema, table, types }: Appending,
  source: AsyncIterable<Rows> | Iterable<Rows>,
): Promise<void> {
  const appender = await connection.createAppender(table, schema, catalog).catch(rethrow);
  try {
    let unflushed = 0;
    for await (const rows of source) {
      signal.throwIfAborted();
      attempt(() => appendRows(appender, rows, types));
      unflushed += rows.length;
      if (unflushed < FLUSH_ROWS) continue;
      attempt(() => appender.flushSync());
      unflushed = 0;
    }
    attempt(() => appender.flushSync());
  } catch (error) {
    appender.clear();
    throw error;
  } finally {
    appender.closeSync();
  }
}

function appendRows(appender: DuckDBAppender, rows: Rows, types: readonly KqlType[]): void {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    appender.appendDataChunk(createChunk(types, rows.slice(start, start + CHUNK_ROWS)));
  }
}

/** Errors of whoever gives the rows pass as they are; those of DuckDB are put into our terms. */
function attempt(step: () => void): void {
  try {
    step();
  } catch (error) {
    rethrow(error);
  }
}

function unquoted(sqlName: string): string {
  return sqlName.startsWith('"') ? sqlName.slice(1, -1).replaceAll('""', '"') : sqlName;
}

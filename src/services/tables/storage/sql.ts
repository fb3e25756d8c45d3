import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { Store } from "#platform/store/store.ts";
import type { TablesTables } from "../store.ts";

export type Dialect = "postgres" | "sqlite";

/** What a column of a row holds: text, a number, 0 or 1 for a boolean, or nothing. */
export type Cell = null | number | string;

/** A row as it is stored, by logical column names. */
export type Row = Readonly<Record<string, Cell>>;

/**
 * A piece of SQL in which every `?` stands for one of the values, in order. Names in it come from
 * definitions and are quoted; whatever came from a caller is among the values.
 */
export interface Sql {
  readonly text: string;
  readonly values: readonly Cell[];
}

export interface Reader {
  readonly dialect: Dialect;
  readonly rows: (sql: Sql) => Promise<readonly Row[]>;
}

/** Only inside of a transaction. */
export interface Writer extends Reader {
  /** The number of rows that were changed. */
  readonly run: (sql: Sql) => Promise<number>;
}

/** Reads what is committed. */
export function readerOf(store: Store<TablesTables>, dialect: Dialect): Reader {
  return on(store.db.withoutPlugins(), dialect);
}

/** Reads and writes in a transaction. */
export function writerOf(transaction: Transaction<TablesTables>, dialect: Dialect): Writer {
  return on(transaction.withoutPlugins(), dialect);
}

/** Column names are logical names as they are, so nothing may rename them on the way. */
function on(db: Kysely<TablesTables>, dialect: Dialect): Writer {
  const compiled = ({ text, values }: Sql) => CompiledQuery.raw(placed(text, dialect), [...values]);
  return {
    dialect,
    async rows(query) {
      const result = await db.executeQuery<Row>(compiled(query));
      return result.rows;
    },
    async run(query) {
      const result = await db.executeQuery(compiled(query));
      return Number(result.numAffectedRows ?? 0n);
    },
  };
}

/** Postgres numbers its values. No name holds a question mark, and no text is written as SQL. */
function placed(text: string, dialect: Dialect): string {
  if (dialect === "sqlite") return text;
  let count = 0;
  return text.replaceAll("?", () => `$${(count += 1)}`);
}

export function sql(text: string, values: readonly Cell[] = []): Sql {
  return { text, values };
}

/** A name between quotes. Names are checked when a table is defined; this is the second lock. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Pieces one after the other with `between` in between. */
export function joined(pieces: readonly Sql[], between: string): Sql {
  return {
    text: pieces.map(({ text }) => text).join(between),
    values: pieces.flatMap(({ values }) => values),
  };
}

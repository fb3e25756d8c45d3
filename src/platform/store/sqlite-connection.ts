import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { storable, type Storable } from "./storable.ts";

/** Prepared statements kept per connection. SQL with lists of values differs with their length. */
const MAX_KEPT_STATEMENTS = 300;

/** The shape in which Kysely wants a connection, on the one that comes with Node. */
export function kyselyConnection(sqlite: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  const rollback = unlessOver(sqlite);

  function prepare(sql: string): SqliteStatement {
    if (sql === "rollback") return rollback;
    const found = kept.get(sql);
    if (found !== undefined) return found;
    const statement = kyselyStatement(sqlite.prepare(sql), () => sqlite.prepare(sql));
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT_STATEMENTS && oldest !== undefined) kept.delete(oldest);
    kept.set(sql, statement);
    return statement;
  }

  return { prepare, close: () => sqlite.close() };
}

function kyselyStatement(statement: StatementSync, fresh: () => StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...values.map(bound)),
    run: (values) => statement.run(...values.map(bound)),
    // The kept one may run again, with other values, while somebody reads the rows of this one.
    iterate: (values) => fresh().iterate(...values.map(bound)),
  };
}

/** node:sqlite binds every number as a fraction, which SQL shows: 5 || '' would be '5.0'. */
function bound(value: unknown): Storable {
  const checked = storable(value);
  return Number.isInteger(checked) ? BigInt(Number(checked)) : checked;
}

/** SQLite ends a transaction by itself when the disk is full; a rollback would then hide that. */
function unlessOver(sqlite: DatabaseSync): SqliteStatement {
  const rollback = sqlite.prepare("rollback");
  const nothing = { changes: 0, lastInsertRowid: 0 };
  return {
    reader: false,
    all: () => [],
    run: () => (sqlite.isTransaction ? rollback.run() : nothing),
    iterate: () => [].values(),
  };
}

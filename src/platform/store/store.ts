import type { Kysely, Transaction } from "kysely";

/** Where a service's tables live: a file of its own, or a schema of its own in one database. */
export type StoreLocation =
  | { readonly kind: "memory" }
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string };

/** Column types that mean the same in every engine. */
export interface ColumnTypes {
  /** UTF-8 text; also ISO timestamps and JSON. */
  readonly text: "text";
  /** A whole number up to 2^53 - 1 in size, read back as a JavaScript number. */
  readonly integer: "integer" | "bigint";
  /** Bytes, read back as `Uint8Array`. */
  readonly bytes: "blob" | "bytea";
}

/**
 * One step of a schema. Steps are applied in order, each once, in a transaction of its own;
 * a step that has been released is never changed.
 */
export type Migration = (schema: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

/** A service's tables. Table and column names are snake_case in SQL and camelCase in TypeScript. */
export interface Store<Tables> {
  /**
   * For reading, outside of `write`: it refuses to write, and refuses to read inside of a write,
   * where the transaction is what to ask. A commit may be seen here shortly before it is on disk;
   * an answer that promises what it has read is therefore given from within `write`.
   */
  readonly db: Kysely<Tables>;
  /**
   * Runs `work` in one transaction and resolves once the commit is on disk. Rejects, having
   * changed nothing, when `work` throws. Writers queue, so `work` waits for nothing but its
   * transaction; one disk sync covers all that wait. After a failed sync every write rejects.
   */
  readonly write: <Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
  ) => Promise<Result>;
  /** Refuses new writes, waits for those that were asked for, and lets go of the data. */
  readonly close: () => Promise<void>;
}

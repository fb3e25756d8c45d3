import type { Message } from "../definitions/types.ts";
import type { Actor, Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { sql, writerOf, type Row, type Writer } from "../storage/sql.ts";
import { ensureUser } from "./users.ts";

/** Something that has happened to a row, for whoever wants to know. */
export interface RowEvent {
  readonly message: Message;
  readonly table: Table;
  readonly rowId: string;
  /** The columns that were written, or what else the message is about. */
  readonly content: Row;
}

/** One transaction: all that is done in it is on disk when it is over, or none of it. */
export interface Work {
  readonly context: Context;
  readonly actor: Actor;
  readonly writer: Writer;
  /** The time of the transaction, as columns keep it. */
  readonly now: string;
  /** Rows that were found to exist, as `table:id`. */
  readonly found: Set<string>;
  readonly events: RowEvent[];
  /** The next `count` versions; answers the first. */
  readonly takeVersions: (count: number) => Promise<number>;
}

/** Runs `body` in a transaction. A user who writes for the first time gets a row. */
export async function inWork<Result>(
  context: Context,
  actor: Actor,
  body: (work: Work) => Promise<Result>,
): Promise<Result> {
  const { store, dialect, environment, users } = context;
  const result = await store.write(async (transaction) => {
    const writer = writerOf(transaction, dialect);
    const work: Work = {
      context,
      actor,
      writer,
      now: `${environment.now().toISOString().slice(0, 19)}Z`,
      found: new Set(),
      events: [],
      takeVersions: (count) => takeVersions(writer, count),
    };
    await ensureUser(work);
    return body(work);
  });
  users.add(actor.userId);
  users.add(actor.caller.objectId);
  return result;
}

async function takeVersions(writer: Writer, count: number): Promise<number> {
  const [row] = await writer.rows(
    sql("update row_version set value = value + ? returning value", [count]),
  );
  return Number(row?.["value"]) - count + 1;
}

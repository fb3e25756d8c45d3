import type { Transaction } from "kysely";
import { ENDPOINTS, STEPS } from "../definitions/event-tables.ts";
import { askFirst } from "../events/ask-first.ts";
import { recordEvents } from "../events/record.ts";
import type { TablesTables } from "../store.ts";
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

/**
 * Runs `body` in a transaction. A user who writes for the first time gets a row. Where steps have
 * to be asked first, `body` runs twice: once to see what would happen, which is undone, and once,
 * with the same ids, for good. Nobody waits for an answer within a transaction.
 */
export async function inWork<Result>(
  context: Context,
  actor: Actor,
  body: (work: Work) => Promise<Result>,
): Promise<Result> {
  if (!context.steps.hasSynchronous()) return commit(context, actor, body);
  const ids: string[] = [];
  const drawing = withIds(context, () => {
    const id = context.environment.newId();
    ids.push(id);
    return id;
  });
  await askFirst(context, actor, await rehearse(drawing, actor, body));
  const drawn = ids.values();
  const repeating = withIds(context, () => drawn.next().value ?? context.environment.newId());
  return commit(repeating, actor, body);
}

function withIds(context: Context, newId: () => string): Context {
  return { ...context, environment: { ...context.environment, newId } };
}

async function commit<Result>(
  context: Context,
  actor: Actor,
  body: (work: Work) => Promise<Result>,
): Promise<Result> {
  const { store, users } = context;
  const { result, hasEvents, isConfigured } = await store.write(async (transaction) => {
    const work = workOn(context, actor, transaction);
    await ensureUser(work);
    const done = await body(work);
    return {
      result: done,
      hasEvents: await recordEvents(work),
      isConfigured: work.events.some(({ table }) => CONFIGURING.has(table.logicalName)),
    };
  });
  users.add(actor.userId);
  users.add(actor.caller.objectId);
  if (isConfigured) await context.steps.load(context.reader);
  if (hasEvents) context.wake();
  return result;
}

/** Tables whose rows say which events are sent where. */
const CONFIGURING: ReadonlySet<string> = new Set([ENDPOINTS, STEPS]);

/** Thrown to undo what was only tried. */
class Rehearsed extends Error {
  override readonly name = "Rehearsed";
}

async function rehearse<Result>(
  context: Context,
  actor: Actor,
  body: (work: Work) => Promise<Result>,
): Promise<readonly RowEvent[]> {
  const events: RowEvent[] = [];
  try {
    await context.store.write(async (transaction) => {
      const work = workOn(context, actor, transaction);
      await ensureUser(work);
      await body(work);
      events.push(...work.events);
      throw new Rehearsed("This was only tried.");
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  return events;
}

function workOn(context: Context, actor: Actor, transaction: Transaction<TablesTables>): Work {
  const writer = writerOf(transaction, context.dialect);
  return {
    context,
    actor,
    writer,
    now: `${context.environment.now().toISOString().slice(0, 19)}Z`,
    found: new Set(),
    events: [],
    takeVersions: (count) => takeVersions(writer, count),
  };
}

async function takeVersions(writer: Writer, count: number): Promise<number> {
  const [row] = await writer.rows(
    sql("update row_version set value = value + ? returning value", [count]),
  );
  return Number(row?.["value"]) - count + 1;
}

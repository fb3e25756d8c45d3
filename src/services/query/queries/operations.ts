import type { Environment } from "#platform/environment.ts";
import { Problem } from "#platform/problem.ts";
import type { Store } from "#platform/store/store.ts";
import type { OperationRow, QueryTables } from "../store.ts";

/** Operations that are remembered; the oldest ones go first. */
const OPERATIONS_MAX = 10_000;
/** Operations that run at once; the others wait for nothing: they are refused. */
const RUNNING_MAX = 32;

export interface OperationStart {
  readonly operation: string;
  readonly clientRequestId: string;
  readonly databaseName: string;
  readonly principal: string;
  readonly user: string;
}

/** Commands that go on after they have been answered. What became of them survives a restart. */
export interface Operations {
  /** Notes the operation, starts it, and gives its id; `work` gives the result as JSON. */
  readonly start: (
    start: OperationStart,
    work: (signal: AbortSignal) => Promise<string>,
  ) => Promise<OperationRow>;
  /** The newest last. */
  readonly list: () => Promise<readonly OperationRow[]>;
  readonly find: (id: string) => Promise<OperationRow | undefined>;
  /** False when it does not run any more. */
  readonly cancel: (id: string, reason: Error) => boolean;
  readonly running: () => number;
  /** Cancels what runs, and waits for it. */
  readonly stop: () => Promise<void>;
}

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Opens the list. What was under way when the process ended has failed. */
export async function openOperations(
  store: Store<QueryTables>,
  { newId, now }: Environment,
): Promise<Operations> {
  const running = new Map<string, Running>();
  await store.write(async (transaction) => {
    await transaction
      .updateTable("operation")
      .set({ state: "Failed", status: "Atoll was stopped before the operation had ended." })
      .where("state", "=", "InProgress")
      .execute();
  });

  return {
    async start(start, work) {
      if (running.size >= RUNNING_MAX) throw tooMany();
      const row = rowOf(start, newId(), now());
      await store.write(async (transaction) => {
        await transaction.insertInto("operation").values(row).execute();
        await forgetOldest(transaction);
      });
      const controller = new AbortController();
      // A store that fails refuses every later write as well; there is nobody here to tell.
      const done = carryOut({ store, now, id: row.id, signal: controller.signal }, work)
        .catch(() => undefined)
        .finally(() => running.delete(row.id));
      running.set(row.id, { controller, done });
      return row;
    },
    list: () => store.db.selectFrom("operation").selectAll().orderBy("startedOn").execute(),
    find: (id) =>
      store.db.selectFrom("operation").selectAll().where("id", "=", id).executeTakeFirst(),
    cancel(id, reason) {
      const found = running.get(id);
      found?.controller.abort(reason);
      return found !== undefined;
    },
    running: () => running.size,
    async stop() {
      const reason = new Error("Atoll was stopped before the operation had ended.");
      for (const { controller } of running.values()) controller.abort(reason);
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}

interface Carried {
  readonly store: Store<QueryTables>;
  readonly now: () => Date;
  readonly id: string;
  readonly signal: AbortSignal;
}

async function carryOut(
  carried: Carried,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<void> {
  const { signal } = carried;
  try {
    await end(carried, { state: "Completed", result: await work(signal) });
  } catch (error) {
    const status = error instanceof Error ? error.message : String(error);
    await end(carried, { state: signal.aborted ? "Canceled" : "Failed", status });
  }
}

async function end({ store, now, id }: Carried, change: Partial<OperationRow>): Promise<void> {
  const ended = { ...change, updatedOn: now().toISOString() };
  await store.write(async (transaction) => {
    await transaction.updateTable("operation").set(ended).where("id", "=", id).execute();
  });
}

function rowOf(start: OperationStart, id: string, now: Date): OperationRow {
  const at = now.toISOString();
  return {
    id,
    operation: start.operation,
    startedOn: at,
    updatedOn: at,
    state: "InProgress",
    status: "",
    clientRequestId: start.clientRequestId,
    databaseName: start.databaseName,
    principal: start.principal,
    user: start.user,
    result: "",
  };
}

type Transaction = Parameters<Parameters<Store<QueryTables>["write"]>[0]>[0];

async function forgetOldest(transaction: Transaction): Promise<void> {
  const oldest = await transaction
    .selectFrom("operation")
    .select("startedOn")
    .orderBy("startedOn", "desc")
    .offset(OPERATIONS_MAX)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await transaction
    .deleteFrom("operation")
    .where("startedOn", "<=", oldest.startedOn)
    .where("state", "!=", "InProgress")
    .execute();
}

function tooMany(): Problem {
  const said = `${RUNNING_MAX} operations run already, and no more may.`;
  return new Problem(429, "TooManyRequests", said, { headers: { "retry-after": "1" } });
}

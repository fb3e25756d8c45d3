import type { Context } from "../context.ts";
import { sql, writerOf, type Row } from "../storage/sql.ts";
import { post } from "./post.ts";

/** Read at a time for one step. */
const BATCH = 50;
const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 5 * 60 * 1000;
/** With the delays above, about eight hours. */
const ATTEMPTS_MAX = 100;

/** Sends what was recorded: in order for each step, again and again until it is taken. */
export interface Deliveries {
  /** Looks for what there is to send; returns at once. */
  readonly wake: () => void;
  /** Resolves when nothing is on its way any more; what is left is sent after the next start. */
  readonly stop: () => Promise<void>;
}

export function createDeliveries(context: Context): Deliveries {
  const { signal, end } = ending();
  const pumps = new Map<string, Promise<void>>();
  const renewed = new Set<string>();
  const delays = new Map<string, NodeJS.Timeout>();
  const retries = createRetries();

  function start(step: string): void {
    if (signal.aborted || delays.has(step)) return;
    // A pump that is about to end may have looked before the newest event was there.
    if (pumps.has(step)) {
      renewed.add(step);
      return;
    }
    const pump = pumpAll(context, (row) => send(step, row), step).catch((error: unknown) => {
      context.log.error(error);
    });
    pumps.set(
      step,
      pump.finally(() => {
        pumps.delete(step);
        if (renewed.delete(step)) start(step);
      }),
    );
  }

  /** Whether to go on with the next one at once. */
  async function send(step: string, row: Row): Promise<boolean> {
    const problem = await attempt(context, step, row, signal);
    if (signal.aborted) return false;
    const delayMs = problem === undefined ? undefined : retries.failed(step);
    if (delayMs !== undefined) {
      const again = () => delays.delete(step) && start(step);
      delays.set(step, setTimeout(again, delayMs));
      return false;
    }
    if (problem !== undefined) context.log.error({ step, problem }, "An event was given up");
    retries.done(step);
    await remove(context, row);
    return true;
  }

  return {
    wake() {
      if (!signal.aborted)
        void awaited(context).then(
          (ids) => ids.forEach(start),
          (error: unknown) => context.log.error(error),
        );
    },
    async stop() {
      end();
      for (const timer of delays.values()) clearTimeout(timer);
      await Promise.allSettled(pumps.values());
    },
  };
}

/** The steps that something is to be told to. */
async function awaited({ reader }: Context): Promise<readonly string[]> {
  const rows = await reader.rows(sql("select distinct step_id from row_event"));
  return rows.map((row) => String(row["step_id"]));
}

/** How long to wait after how many failures in a row. */
function createRetries() {
  const failures = new Map<string, number>();
  return {
    /** Milliseconds to wait; undefined when it was tried often enough. */
    failed(step: string): number | undefined {
      const count = (failures.get(step) ?? 0) + 1;
      failures.set(step, count);
      if (count >= ATTEMPTS_MAX) return undefined;
      return Math.min(FIRST_DELAY_MS * 2 ** (count - 1), DELAY_MAX_MS);
    },
    done: (step: string) => failures.delete(step),
  };
}

function ending() {
  const controller = new AbortController();
  return { signal: controller.signal, end: () => controller.abort() };
}

/** Sends what there is for a step, in order, until there is nothing left or `send` says so. */
async function pumpAll(
  { reader }: Context,
  send: (row: Row) => Promise<boolean>,
  step: string,
): Promise<void> {
  for (;;) {
    const rows = await reader.rows(
      sql("select * from row_event where step_id = ? order by sequence limit ?", [step, BATCH]),
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      if (!(await send(row))) return;
    }
  }
}

/** What went wrong, in words; nothing when the message was taken, or nobody wants it any more. */
async function attempt(
  context: Context,
  stepId: string,
  row: Row,
  signal: AbortSignal,
): Promise<string | undefined> {
  const step = context.steps.find(stepId);
  if (step === undefined) return undefined;
  try {
    const status = await post(context, {
      endpoint: step.endpoint,
      message: String(row["message"]),
      table: String(row["table_name"]),
      id: String(row["id"]),
      content: String(row["content"]),
      signal,
    });
    return status >= 200 && status < 300 ? undefined : `HTTP ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function remove({ store, dialect }: Context, { sequence }: Row): Promise<void> {
  await store.write((transaction) =>
    writerOf(transaction, dialect).run(
      sql("delete from row_event where sequence = ?", [sequence ?? null]),
    ),
  );
}

import { bytesIn, SOURCE_RUNS, type Block } from "./blocks.ts";
import type { Attempt, Ledger } from "./ledger.ts";
import type { Server } from "./server.ts";
import { ENCRYPTED, openStoreClient } from "./store-client.ts";

/** How a blob is written to. */
export interface Habit {
  readonly name: string;
  /** Connections that append to the same blob at once. */
  readonly writers: number;
  /** Every how many appends take a run of the source blob; 0 is never. */
  readonly runEvery: number;
  /** Says where the blob ends; for a single writer, which alone can know. */
  readonly withPosition: boolean;
}

export const HABITS: readonly Habit[] = [
  { name: "raced", writers: 3, runEvery: 0, withPosition: false },
  { name: "raced-mixed", writers: 2, runEvery: 3, withPosition: false },
  { name: "positioned", writers: 1, runEvery: 2, withPosition: true },
  { name: "copied", writers: 1, runEvery: 1, withPosition: false },
  { name: ENCRYPTED, writers: 2, runEvery: 3, withPosition: false },
];

export interface Writing {
  readonly ledger: Ledger;
  readonly habit: Habit;
}

/**
 * Appends to the blob from all its writers until the server is gone. `acknowledged` is called on
 * each 201. Rejects when the server refuses an append.
 */
export async function write(
  { ledger, habit }: Writing,
  server: Server,
  acknowledged: () => void,
): Promise<void> {
  let sent = 0;
  let length = ledger.provenBytes;
  function nextBlock(): Block {
    const run = habit.runEvery === 0 ? Infinity : sent / habit.runEvery;
    // Numbers tell apart what was sent since the last crash: more is not needed.
    const number = ledger.proven.length + sent;
    sent += 1;
    const isRun = Number.isInteger(run) && run < SOURCE_RUNS;
    return isRun ? { kind: "run", number: run } : { kind: "record", number };
  }

  async function writeOn(): Promise<void> {
    const client = openStoreClient(server);
    try {
      for (;;) {
        const attempt: Attempt = { block: nextBlock() };
        ledger.attempts.push(attempt);
        const position = habit.withPosition ? length : undefined;
        attempt.place = await client.append(ledger.blob, attempt.block, position);
        length = attempt.place.offset + bytesIn(attempt.block);
        acknowledged();
      }
    } catch (error) {
      if (!isServerGone(error)) throw error;
    } finally {
      client.close();
    }
  }
  await Promise.all(Array.from({ length: habit.writers }, writeOn));
}

/** The connection broke off or was refused; a refusal by HTTP carries no such code. */
export function isServerGone(error: unknown): boolean {
  const codes: unknown[] = ["ECONNRESET", "ECONNREFUSED", "EPIPE"];
  return error instanceof Error && "code" in error && codes.includes(error.code);
}

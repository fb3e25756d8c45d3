import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkAll, checkTail, openLedger, type Ledger, type Violation } from "./ledger.ts";
import { createMixedWriter, type MixedWriter } from "./mixed/mixed-writer.ts";
import { spawnServer, startServer, type Server } from "./server.ts";
import { openStoreClient, type StoreClient } from "./store-client.ts";
import { HABITS, write, type Writing } from "./writers.ts";

/** After the first acknowledgement; the moment is random, so that it falls into anything. */
const KILL_WITHIN_MS = 300;
/** Every so many kills, one more hits the server while it starts on what the last one left. */
const KILL_AT_START_EVERY = 10;
const START_KILL_WITHIN_MS = 800;
/** New blobs are begun at this size, so that old ones outlive many kills untouched. */
const BLOCKS_PER_BLOB = 2000;
/** Connections that put, copy, delete, lease, tag and so on, each on blobs of its own. */
const MIXED_WRITERS = 4;

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly violations: readonly Violation[];
  /** Kept when something was violated. */
  readonly data: string;
}

export interface CrashOptions {
  readonly kills: number;
  /** Called after each check. */
  readonly onProgress: (kills: number, acknowledged: number) => void;
}

/**
 * Kills Atoll again and again while it is written to, and checks after each restart that whatever
 * it had acknowledged is there, whole and at its place. Ends at the first violation.
 */
export async function crash(options: CrashOptions): Promise<CrashReport> {
  const data = await mkdtemp(join(tmpdir(), "atoll-crash-"));
  const report = await crashOn(data, options);
  if (report.violations.length === 0) await rm(data, { recursive: true, force: true });
  return report;
}

async function crashOn(data: string, { kills, onProgress }: CrashOptions): Promise<CrashReport> {
  const ledgers: Ledger[] = [];
  const mixed = Array.from({ length: MIXED_WRITERS }, (_, at) => createMixedWriter(String(at)));
  let writings: Writing[] = [];
  let violations: Violation[] = [];
  let killed = 0;
  let acknowledged = 0;
  let server = await startServer(data);
  try {
    await withClient(server, (client) => client.createContainer());
    while (killed < kills && violations.length === 0) {
      if (writings.length === 0 || writings.some(isFull)) {
        writings = await beginBlobs(server, ledgers.length);
        ledgers.push(...writings.map(({ ledger }) => ledger));
      }
      acknowledged += await writeAndKill(server, writings, mixed);
      killed += 1;
      if (killed % KILL_AT_START_EVERY === 0 && killed < kills) {
        await killAtStart(data);
        killed += 1;
      }
      server = await startServer(data);
      violations = await checkEach(
        server,
        writings.map(({ ledger }) => ledger),
        checkTail,
      );
      for (const writer of mixed) violations.push(...(await writer.check(server)));
      onProgress(killed, acknowledged);
    }
    if (violations.length === 0) violations = await checkEach(server, ledgers, checkAll);
  } finally {
    await server.stop();
  }
  return { kills: killed, acknowledged, violations, data };
}

function isFull({ ledger }: Writing): boolean {
  return ledger.proven.length > BLOCKS_PER_BLOB;
}

async function beginBlobs(server: Server, begun: number): Promise<Writing[]> {
  return withClient(server, async (client) => {
    const writings: Writing[] = [];
    for (const habit of HABITS) {
      const ledger = openLedger(`${habit.name}-${begun}.log`);
      await client.createAppendBlob(ledger.blob);
      writings.push({ habit, ledger });
    }
    return writings;
  });
}

/** Returns how many writes were acknowledged before the kill. */
async function writeAndKill(
  server: Server,
  writings: readonly Writing[],
  mixed: readonly MixedWriter[],
): Promise<number> {
  let acknowledged = 0;
  const first = Promise.withResolvers<void>();
  const done = () => {
    acknowledged += 1;
    first.resolve();
  };
  const all = Promise.all([
    ...writings.map((writing) => write(writing, server, done)),
    ...mixed.map((writer) => writer.write(server, done)),
  ]);
  try {
    // Writers that end before anything is acknowledged have met a refusal.
    await Promise.race([first.promise, all]);
    await wait(Math.random() * KILL_WITHIN_MS);
  } finally {
    await server.kill();
  }
  await all;
  return acknowledged;
}

async function killAtStart(data: string): Promise<void> {
  const spawned = spawnServer(data);
  await wait(Math.random() * START_KILL_WITHIN_MS);
  await spawned.kill();
}

async function checkEach(
  server: Server,
  ledgers: readonly Ledger[],
  check: (ledger: Ledger, client: StoreClient) => Promise<Violation[]>,
): Promise<Violation[]> {
  return withClient(server, async (client) => {
    const violations: Violation[] = [];
    for (const ledger of ledgers) violations.push(...(await check(ledger, client)));
    return violations;
  });
}

async function withClient<Result>(
  server: Server,
  use: (client: StoreClient) => Promise<Result>,
): Promise<Result> {
  const client = openStoreClient(server);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "../../bench/support/shared-key.ts";
import { spawnNode, type Spawned } from "../../bench/support/spawned.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_LIMIT_MS = 60_000;

export interface Server {
  readonly origin: string;
  readonly account: Account;
  /** SIGKILL: the process has no chance to write anything more. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts Atoll on `data` and waits until it says that it is ready. */
export async function startServer(data: string): Promise<Server> {
  const spawned = spawnServer(data);
  try {
    return await whenReady(spawned, data);
  } catch (error) {
    await spawned.kill();
    throw error;
  }
}

/** Starts Atoll and waits for nothing. */
export function spawnServer(data: string): Spawned {
  const ports = ["--port", "--query-port", "--ingest-port", "--blob-port"];
  return spawnNode([
    join(ROOT, "bin/atoll.js"),
    "up",
    "--data",
    data,
    "--output",
    "json",
    "--only",
    "storage",
    ...ports.flatMap((flag) => [flag, "0"]),
  ]);
}

interface Ready {
  readonly pid: number;
  readonly account_url: string;
  readonly credentials: { readonly storage_account: string; readonly storage_key: string };
}

async function whenReady(spawned: Spawned, data: string): Promise<Server> {
  const ready = JSON.parse(await withinLimit(spawned)) as Ready;
  const written = JSON.parse(await readFile(join(data, "endpoints.json"), "utf8")) as Ready;
  for (const pid of [ready.pid, written.pid]) {
    // A signal to a launcher would leave the server, and this test, unharmed.
    if (pid !== spawned.pid) throw new Error(`Atoll runs as ${pid}, not as ${spawned.pid}.`);
  }
  const { storage_account: name, storage_key: key } = ready.credentials;
  return {
    origin: new URL(ready.account_url).origin,
    account: { name, key },
    async kill() {
      // An end of its own would pass for a kill, and is as bad as a lost block.
      if (spawned.hasEnded()) throw new Error(`Atoll ended by itself:\n${spawned.output()}`);
      await spawned.kill();
    },
    stop: spawned.stop,
  };
}

async function withinLimit(spawned: Spawned): Promise<string> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    limit.reject(new Error(`Atoll was not ready after ${START_LIMIT_MS} ms: ${spawned.output()}`));
  }, START_LIMIT_MS);
  try {
    return await Promise.race([spawned.firstLine, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

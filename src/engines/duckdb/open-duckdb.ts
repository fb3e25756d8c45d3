import { mkdir, rm } from "node:fs/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import type { RuntimeFunction } from "#engines/kql/runtime/runtime-function.ts";
import type { SqlEngine } from "#engines/kql/sql-engine.ts";
import { createConnection, type DuckDbConnection } from "./connection.ts";
import { createLanes, type LaneRequest, type Lanes } from "./lanes.ts";
import { registerFunctions } from "./runtime-functions.ts";
import { sqlText } from "./sql-text.ts";

/** Management statements are short: few run at once, and many may wait. */
const MANAGEMENT_LANE = { running: 4, waiting: 1000 };
/** Each already uses all cores. */
const INGESTION_LANE = { running: 4, waiting: 1000 };
/** What the log before the next checkpoint may hold; it is read again at a start after a crash. */
const CHECKPOINT_AFTER = "64MB";

export interface DuckDbOptions {
  readonly location: { readonly file: string } | "memory";
  /** The one folder whose files SQL may read and write. Absolute; emptied at the start. */
  readonly landingDir: string;
  /** Where queries spill what does not fit into memory. Absolute; emptied at the start. */
  readonly tempDir: string;
  readonly threads: number;
  /** As DuckDB reads it, such as `4GB`. */
  readonly memoryLimit: string;
  /** Queries that run at once, well below the size of libuv's pool: each takes a thread of it. */
  readonly maxQueries: number;
  /** Queries that may wait; those beyond get a `QueueFullError`. */
  readonly maxQueued: number;
  readonly functions: readonly RuntimeFunction[];
}

export interface DuckDb extends SqlEngine {
  readonly connect: (options: LaneRequest) => Promise<DuckDbConnection>;
  readonly landingDir: string;
  /** Adds functions to those it was opened with; one whose name is there already is not changed. */
  readonly addFunctions: (functions: readonly RuntimeFunction[]) => void;
  /** How many requests run and wait in a lane now. */
  readonly load: Lanes["load"];
}

/** Opens the database, locked: SQL reaches no file outside of `landingDir` and no network. */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDb> {
  const { location, landingDir, functions, maxQueries, maxQueued } = options;
  for (const folder of [landingDir, options.tempDir]) await makeEmpty(folder);
  const instance = await DuckDBInstance.create(
    location === "memory" ? ":memory:" : location.file,
    configuration(options),
  );
  const keeper = await instance.connect();
  await keeper.run(`set allowed_directories = [${sqlText(`${landingDir}/`)}]`);
  await keeper.run("set global timezone = 'UTC'");
  await keeper.run("set enable_external_access = false");
  await keeper.run("set lock_configuration = true");
  const known = new Set<string>();
  function addFunctions(added: readonly RuntimeFunction[]): void {
    const fresh = added.filter(({ name }) => !known.has(name));
    registerFunctions(keeper, fresh);
    for (const { name } of fresh) known.add(name);
  }
  addFunctions(functions);
  const lanes = createLanes({
    query: { running: maxQueries, waiting: maxQueued },
    management: MANAGEMENT_LANE,
    ingestion: INGESTION_LANE,
  });

  return {
    landingDir,
    addFunctions,
    load: lanes.load,
    async connect(request) {
      const leave = await lanes.enter(request);
      try {
        const connection = await instance.connect();
        return createConnection({ connection, signal: request.signal }, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    async stop() {
      // Here and not in `closeSync`, which would hold up everything else meanwhile.
      // It fails while something still runs, and then the log holds what has not been written.
      await keeper.run("checkpoint").catch(() => undefined);
      keeper.disconnectSync();
      instance.closeSync();
    },
  };
}

/** What lies here was left by a process that was killed. */
async function makeEmpty(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

function configuration({ threads, memoryLimit, tempDir }: DuckDbOptions): Record<string, string> {
  return {
    threads: `${threads}`,
    memory_limit: memoryLimit,
    temp_directory: tempDir,
    checkpoint_threshold: CHECKPOINT_AFTER,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  };
}

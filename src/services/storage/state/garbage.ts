import type { Kysely } from "kysely";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import type { Migration, Store } from "#platform/store/store.ts";
import type { StorageTables } from "../store.ts";
import type { Change } from "./changes.ts";
import type { InFlight } from "./in-flight.ts";

/** Runs follow each other no faster, however much is deleted. */
const RUNS_APART_MS = 100;

export interface GarbageOptions {
  readonly store: Store<StorageTables>;
  readonly blocks: BlockStore;
  readonly inFlight: InFlight;
  /** Told when a run fails; the next one tries again. */
  readonly failed: (error: unknown) => void;
}

/** Gives back the space of extents to which nothing refers any more. */
export interface Garbage {
  /** Something was deleted: a run begins soon, unless one is due already. */
  readonly collectSoon: () => void;
  /** Ends the run that is under way, and begins no other. */
  readonly stop: () => Promise<void>;
}

/** Finds whether an extent is referred to, and how much of it, without reading all records. */
export const addExtentIndex: Migration = async (schema: Kysely<unknown>) => {
  const index = schema.schema.createIndex("block_extent").on("block");
  await index.columns(["extent", "extent_offset", "length"]).execute();
};

export function createGarbage(options: GarbageOptions): Garbage {
  const stopped = Promise.withResolvers<"stopped">();
  let isStopped = false;
  let running: Promise<void> | undefined;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  function collectSoon(): void {
    isDue = true;
    if (isStopped || running !== undefined || timer !== undefined) return;
    timer = setTimeout(start, RUNS_APART_MS);
  }

  function start(): void {
    timer = undefined;
    isDue = false;
    running = collect(options, stopped.promise)
      .catch(options.failed)
      .finally(() => {
        running = undefined;
        if (isDue) collectSoon();
      });
  }

  return {
    collectSoon,
    async stop() {
      isStopped = true;
      stopped.resolve("stopped");
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Nobody writes to a full extent, so references to it come only from records that are there, by
 * copying them, or from requests under way. One that no record names is therefore looked at
 * again when the requests of that moment have ended: if there is still none, there never will be.
 */
async function collect(
  { store, blocks, inFlight }: GarbageOptions,
  stopped: Promise<"stopped">,
): Promise<void> {
  const candidates = await unused(store, await blocks.fullExtents());
  if (candidates.length === 0) return;
  if ((await Promise.race([inFlight.ended(), stopped])) === "stopped") return;
  await blocks.removeExtents(await unused(store, candidates));
}

/** Asked from within a write: what it sees is on disk, and no failing disk brings it back. */
async function unused(
  store: Store<StorageTables>,
  extents: readonly number[],
): Promise<readonly number[]> {
  if (extents.length === 0) return [];
  return store.write(async (transaction) => {
    const staged = await transaction
      .selectFrom("stagedBlock")
      .select("extent")
      .distinct()
      .execute();
    const used = new Set(staged.map(({ extent }) => extent));
    for (const extent of extents) {
      const found = transaction.selectFrom("block").select("extent").where("extent", "=", extent);
      if ((await found.limit(1).executeTakeFirst()) !== undefined) used.add(extent);
    }
    return extents.filter((extent) => !used.has(extent));
  });
}

/** Kinds of changes that only add. */
const ADDING: ReadonlySet<string> = new Set<Change["kind"]>([
  "blob-copied",
  "container",
  "service",
]);

/** Whether a change may take away references to bytes. */
export function takesAway(change: Change): boolean {
  if (change.kind === "all") return change.changes.some(takesAway);
  if (change.kind === "blob" || change.kind === "block-staged") {
    return change.replaces !== undefined;
  }
  return !ADDING.has(change.kind);
}

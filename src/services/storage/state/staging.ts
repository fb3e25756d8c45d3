import type { Kysely } from "kysely";
import type { Piece } from "../append-blobs/append.ts";
import { encryptionOf, type Encryption } from "../encryption/content-key.ts";
import type { StagedBlobRow, StagedBlockRow, StorageTables } from "../store.ts";
import type { Change, StagingChange } from "./changes.ts";
import { createHotStates } from "./hot-states.ts";

/** Names whose waiting blocks stay in memory while nobody uses them. */
const HOT_NAMES_MAX = 64;
/** Blocks that nobody commits are dropped so long after the last one came. */
export const KEPT_MS = 7 * 24 * 3_600_000;
/** How often those are looked for. */
const SWEEP_EVERY_MS = 3_600_000;

/** A block that waits to be committed. */
export interface StagedBlock extends Encryption {
  readonly id: number;
  readonly blockId: string;
  /** Bytes. */
  readonly length: number;
  readonly pieces: readonly Piece[];
}

/** What waits for one name. The map is ahead of the disk, and belongs to whoever decides. */
export interface Staged {
  readonly generation: number;
  readonly blocks: Map<string, StagedBlock>;
}

interface Name {
  readonly generation: number;
  readonly touchedMs: number;
}

/** Blocks that were put and not committed yet. */
export interface Staging {
  /** Hands `work` what waits for a name. What it decides before it awaits, it decides alone. */
  readonly use: <Result>(
    containerId: number,
    name: string,
    work: (staged: Staged) => Promise<Result> | Result,
  ) => Promise<Result>;
  /** The change that keeps one more block; `staged` has it at once. */
  readonly stage: (place: Place, staged: Staged, block: StagedBlock) => StagingChange;
  /** What has to be written for the name to have no waiting blocks; they are gone at once. */
  readonly drop: (containerId: number, name: string) => readonly StagingChange[];
  /** Names what waits for a name on the disk; undefined where nothing does. */
  readonly generationOf: (containerId: number, name: string) => number | undefined;
  /** Reads what is on the disk; calling the result makes it all that is known, at once. */
  readonly forget: () => Promise<() => void>;
}

interface Place {
  readonly containerId: number;
  readonly name: string;
}

export interface StagingOptions {
  readonly db: Kysely<StorageTables>;
  readonly now: () => Date;
  readonly newId: () => number;
  readonly commit: (change: Change) => Promise<void>;
}

export async function openStaging(options: StagingOptions): Promise<Staging> {
  const { db, now, newId, commit } = options;
  const readNames = () => db.selectFrom("stagedBlob").selectAll().execute();
  const names = createNames(await readNames(), now);
  const hot = createHotStates((key) => readStaged(db, Number(key)), HOT_NAMES_MAX);

  return {
    async use(containerId, name, work) {
      const key = keyOf({ containerId, name });
      const swept = names.sweep(key);
      if (swept.length > 0) await commit({ kind: "all", changes: swept });
      for (;;) {
        const generation = names.generationOf(key) ?? newId();
        names.touch(key, generation);
        const answer = await hot.use(String(generation), async ({ assigned: blocks }) => {
          if (blocks === undefined || names.generationOf(key) !== generation) return undefined;
          try {
            return { result: await work({ generation, blocks }) };
          } finally {
            // Where nothing was kept, nothing has to be remembered.
            const isMine = names.generationOf(key) === generation;
            if (blocks.size === 0 && isMine) names.drop(key);
          }
        });
        if (answer !== undefined) return answer.result;
      }
    },
    stage({ containerId, name }, { generation, blocks }, block) {
      names.touch(keyOf({ containerId, name }), generation);
      const replaces = blocks.get(block.blockId)?.id;
      blocks.set(block.blockId, block);
      const blob = { generation, containerId, name, touchedAt: now().toISOString() };
      return { kind: "block-staged", blob, replaces, rows: rowsOf(generation, block) };
    },
    drop: (containerId, name) => names.drop(keyOf({ containerId, name })),
    generationOf: (containerId, name) => names.generationOf(keyOf({ containerId, name })),
    async forget() {
      const rows = await readNames();
      const read = await Promise.all(
        hot.keys().map(async (key) => [key, await readStaged(db, Number(key))] as const),
      );
      return () => {
        names.fill(rows);
        for (const [key, blocks] of read) {
          const known = hot.loaded(key)?.assigned;
          known?.clear();
          for (const [id, block] of blocks) known?.set(id, block);
        }
      };
    },
  };
}

/** Which names have waiting blocks, and since when. */
function createNames(rows: readonly StagedBlobRow[], now: () => Date) {
  const names = new Map<string, Name>();
  let sweptMs = 0;
  fill(rows);

  return {
    fill,
    generationOf(key: string): number | undefined {
      const known = names.get(key);
      return known === undefined || isOld(known) ? undefined : known.generation;
    },
    touch(key: string, generation: number): void {
      names.set(key, { generation, touchedMs: now().getTime() });
    },
    drop,
    /** Forgets what is too old: of one name always, of all names now and then. */
    sweep(key: string): StagingChange[] {
      const known = names.get(key);
      const mine = known !== undefined && isOld(known) ? drop(key) : [];
      if (now().getTime() - sweptMs < SWEEP_EVERY_MS) return mine;
      sweptMs = now().getTime();
      const old = [...names].filter(([, other]) => isOld(other));
      return [...mine, ...old.flatMap(([name]) => drop(name))];
    },
  };

  function fill(onDisk: readonly StagedBlobRow[]): void {
    names.clear();
    for (const row of onDisk) {
      const { generation } = row;
      names.set(keyOf(row), { generation, touchedMs: Date.parse(row.touchedAt) });
    }
  }

  function drop(key: string): StagingChange[] {
    const known = names.get(key);
    if (known === undefined) return [];
    names.delete(key);
    return [{ kind: "staging-dropped", generation: known.generation }];
  }

  function isOld({ touchedMs }: Name): boolean {
    return now().getTime() - touchedMs > KEPT_MS;
  }
}

function keyOf({ containerId, name }: Place): string {
  return `${containerId}/${name}`;
}

function rowsOf(generation: number, block: StagedBlock): StagedBlockRow[] {
  const { id, blockId, pieces } = block;
  const { encryptionScope, encryptionKeySha256 } = block;
  return pieces.map(({ extent, offset, length, crc64, nonce }, piece) => ({
    id,
    piece,
    generation,
    blockId,
    extent,
    extentOffset: offset,
    length,
    crc64,
    nonce,
    encryptionScope,
    encryptionKeySha256,
  }));
}

/** The blocks of a generation as they are on disk, in the order in which they came. */
export async function readStaged(
  db: Kysely<StorageTables>,
  generation: number,
): Promise<Map<string, StagedBlock>> {
  const rows = await db
    .selectFrom("stagedBlock")
    .selectAll()
    .where("generation", "=", generation)
    .orderBy("id")
    .orderBy("piece")
    .execute();
  const blocks = new Map<string, StagedBlock>();
  for (const row of rows) {
    const { id, blockId, extent, extentOffset: offset, crc64, nonce } = row;
    const piece = { extent, offset, length: row.length, crc64, nonce };
    const pieces = [...(blocks.get(blockId)?.pieces ?? []), piece];
    const length = pieces.reduce((sum, run) => sum + run.length, 0);
    blocks.set(blockId, { id, blockId, length, pieces, ...encryptionOf(row) });
  }
  return blocks;
}

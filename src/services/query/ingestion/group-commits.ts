import type { KqlValue } from "#engines/kql/types.ts";
import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import type { Environment } from "#platform/environment.ts";
import { withConnection, type Catalog } from "../catalog/catalog.ts";
import type { CatalogTable } from "../catalog/catalog-schema.ts";
import { storeExtent } from "../catalog/extents.ts";
import { ticksOf } from "../catalog/ticks.ts";
import { appendTarget, markedRows } from "./marked-rows.ts";

/** Rows that one transaction takes, however many requests wait. */
const ROWS_PER_COMMIT_MAX = 500_000;
/** Small requests share an extent until it has so many rows, or is so old. */
const SHARED_EXTENT_ROWS_MAX = 1_000_000;
const SHARED_EXTENT_AGE_MAX_MS = 3_600_000;

type Rows = readonly (readonly KqlValue[])[];

export interface SmallIngestion {
  readonly table: CatalogTable;
  readonly rows: Rows;
  readonly tags: readonly string[];
  /** Ticks, in place of now. */
  readonly creationTime: bigint | undefined;
}

export interface GroupCommits {
  /** Resolves to the extent when the rows are durable and seen by every query from then on. */
  readonly commit: (ingestion: SmallIngestion) => Promise<string>;
}

interface Waiting extends SmallIngestion {
  readonly resolve: (extent: string) => void;
  readonly reject: (error: unknown) => void;
}

interface SharedExtent {
  readonly id: string;
  readonly startedAt: number;
  rows: number;
}

/** Lets the small requests that wait at the same time share one transaction. */
export function createGroupCommits({ sql, environment }: Catalog): GroupCommits {
  let waiting: Waiting[] = [];
  let isRunning = false;
  const shared = createSharedExtents(environment);

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const group = takeGroup();
      await commitGroup(group).catch(async (error: unknown) => {
        // One of them may be the reason: the others are not to suffer for it.
        if (group.length === 1) group[0]?.reject(error);
        else for (const one of group) await commitGroup([one]).catch(one.reject);
      });
    }
    isRunning = false;
  }

  function takeGroup(): Waiting[] {
    let rows = 0;
    const end = waiting.findIndex((one) => (rows += one.rows.length) > ROWS_PER_COMMIT_MAX);
    const group = end === -1 ? waiting : waiting.slice(0, Math.max(end, 1));
    waiting = waiting.slice(group.length);
    return group;
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    const extents = await withConnection(sql, (connection) =>
      connection.transaction(async () => {
        const ids: string[] = [];
        for (const one of group) ids.push(await shared.extentOf(connection, one));
        await appendAll(connection, group, ids, ticksOf(environment.now()));
        return ids;
      }),
    );
    for (const [index, one] of group.entries()) one.resolve(extents[index] ?? "");
  }

  return {
    commit(ingestion) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.push({ ...ingestion, resolve, reject });
      if (!isRunning) void run();
      return promise;
    },
  };
}

/** What the group brings, table by table. */
async function appendAll(
  connection: DuckDbConnection,
  group: readonly Waiting[],
  extents: readonly string[],
  now: bigint,
): Promise<void> {
  const marked = group.map((one, index) => ({ ...one, extent: extents[index] ?? "" }));
  for (const ofTable of Map.groupBy(marked, ({ table }) => table.id).values()) {
    const [{ table } = { table: undefined }] = ofTable;
    if (table === undefined) continue;
    const rows = ofTable.flatMap((one) =>
      markedRows(one.rows, one.extent, one.creationTime ?? now),
    );
    await connection.append(appendTarget(table), [rows]);
  }
}

/** Gives each small ingestion its extent. One that is shared has nothing that must be noted. */
function createSharedExtents({ newId, now }: Environment) {
  const open = new Map<number, SharedExtent>();

  function isUsable(extent: SharedExtent): boolean {
    const age = now().getTime() - extent.startedAt;
    return extent.rows < SHARED_EXTENT_ROWS_MAX && age < SHARED_EXTENT_AGE_MAX_MS;
  }

  function sharedExtent(tableId: number): SharedExtent {
    const existing = open.get(tableId);
    if (existing !== undefined && isUsable(existing)) return existing;
    const extent = { id: newId(), startedAt: now().getTime(), rows: 0 };
    open.set(tableId, extent);
    return extent;
  }

  return {
    async extentOf(connection: DuckDbConnection, one: SmallIngestion): Promise<string> {
      const { table, tags, creationTime, rows } = one;
      if (tags.length === 0 && creationTime === undefined) {
        const extent = sharedExtent(table.id);
        extent.rows += rows.length;
        return extent.id;
      }
      const id = newId();
      const createdOn = creationTime ?? ticksOf(now());
      await storeExtent(connection, table.id, { id, createdOn, tags, originalSize: 0n });
      return id;
    },
  };
}

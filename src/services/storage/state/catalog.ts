import type { BlockStore } from "#engines/blocks/block-store.ts";
import type { Store } from "#platform/store/store.ts";
import type { BlobRow, ContainerRow, ServiceRow, StorageTables } from "../store.ts";
import type { Change } from "./changes.ts";
import { createChangeWriter } from "./commit-plan.ts";
import { createCommitter } from "./committer.ts";
import { takesAway } from "./garbage.ts";
import { createHotStates, type Entry } from "./hot-states.ts";
import { writeInOrder } from "./ordered-changes.ts";
import { createFlush } from "./redo.ts";
import { openStaging, type Staging } from "./staging.ts";
import { createStamps, etagOf, type Stamp } from "./stamps.ts";

const HOT_SERVICES_MAX = 100;
const HOT_CONTAINERS_MAX = 1000;
const HOT_BLOBS_MAX = 20_000;

export type ContainerEntry = Entry<ContainerRow>;
export type BlobEntry = Entry<BlobRow>;
export type ServiceEntry = Entry<ServiceRow>;
type Work<Kept, Result> = (entry: Kept) => Promise<Result> | Result;

/** Containers and blobs: their state in memory, and the way of a change to the disk. */
export interface Catalog {
  readonly useContainer: <Result>(
    account: string,
    name: string,
    work: Work<ContainerEntry, Result>,
  ) => Promise<Result>;
  readonly useService: <Result>(
    account: string,
    work: Work<ServiceEntry, Result>,
  ) => Promise<Result>;
  readonly useBlob: <Result>(
    containerId: number,
    name: string,
    work: Work<BlobEntry, Result>,
  ) => Promise<Result>;
  /**
   * Decides a change at once, and resolves when it is on disk and visible. Between the checks
   * that a change depends on and this call nothing may be awaited.
   */
  readonly change: <State>(
    entry: Entry<State>,
    state: State | undefined,
    change: Change,
  ) => Promise<void>;
  /** Takes a change that leaves every entry as it is. */
  readonly commit: (change: Change) => Promise<void>;
  readonly staging: Staging;
  /** Entity tag and time of a change that is decided now. */
  readonly stamp: () => Stamp;
  /** An id that no container or blob has or had. */
  readonly newId: () => number;
  readonly failure: () => Error | undefined;
  /** Waits for the changes under way. */
  readonly drain: () => Promise<void>;
}

/** Calls `tookAway` whenever bytes may have lost their last reference. */
export async function openCatalog(
  store: Store<StorageTables>,
  blocks: BlockStore,
  now: () => Date,
  tookAway: () => void,
): Promise<Catalog> {
  const { db } = store;
  const writeRows = createChangeWriter();
  const flush = createFlush(store, blocks);
  const write = async (changes: readonly Change[]) => {
    await flush((transaction) => writeInOrder(transaction, changes, writeRows));
    if (changes.some(takesAway)) tookAway();
  };
  const committer = createCommitter(write, async () => {
    const forgetStaged = await staging.forget();
    return () => {
      for (const states of [services, containers, blobs]) states.forget();
      forgetStaged();
    };
  });
  const newest = await newestOf(store);
  const stamp = createStamps(now, newest.etag);
  let lastId = newest.id;

  const { services, containers, blobs } = createStates(db);
  const newId = () => (lastId += 1);
  const { commit } = committer;
  const staging = await openStaging({ db, now, newId, commit });

  return {
    useContainer: (account, name, work) => containers.use(`${account}/${name}`, work),
    useService: (account, work) => services.use(account, work),
    useBlob: (containerId, name, work) => blobs.use(`${containerId}/${name}`, work),
    async change(entry, state, change) {
      const onDisk = committer.commit(change);
      entry.assigned = state;
      await onDisk;
      entry.visible = state;
    },
    commit,
    staging,
    stamp,
    newId,
    failure: committer.failure,
    drain: committer.drain,
  };
}

/** What is known of the names in use. */
function createStates(db: Store<StorageTables>["db"]) {
  const services = createHotStates<ServiceRow>((account) => {
    const found = db.selectFrom("service").selectAll();
    return found.where("account", "=", account).executeTakeFirst();
  }, HOT_SERVICES_MAX);
  const containers = createHotStates<ContainerRow>((key) => {
    const slash = key.indexOf("/");
    const found = db.selectFrom("container").selectAll();
    return found
      .where("account", "=", key.slice(0, slash))
      .where("name", "=", key.slice(slash + 1))
      .executeTakeFirst();
  }, HOT_CONTAINERS_MAX);
  const blobs = createHotStates<BlobRow>((key) => {
    const slash = key.indexOf("/");
    const found = db.selectFrom("blob").selectAll();
    return found
      .where("containerId", "=", Number(key.slice(0, slash)))
      .where("name", "=", key.slice(slash + 1))
      .where("snapshot", "=", "")
      .executeTakeFirst();
  }, HOT_BLOBS_MAX);
  return { services, containers, blobs };
}

/** Where ids and entity tags go on after a restart. */
async function newestOf({ db }: Store<StorageTables>) {
  const ofTable = (table: "blob" | "container") =>
    db
      .selectFrom(table)
      .select(({ fn }) => [fn.max("id").as("id"), fn.max("etag").as("etag")])
      .executeTakeFirst();
  const found = await Promise.all([ofTable("blob"), ofTable("container")]);
  const staged = await db
    .selectFrom("stagedBlock")
    .select(({ fn }) => [fn.max("id").as("id"), fn.max("generation").as("generation")])
    .executeTakeFirst();
  const snapshot = await db
    .selectFrom("blob")
    .select(({ fn }) => fn.max("snapshot").as("newest"))
    .executeTakeFirst();
  const ids = [...found.map((newest) => newest?.id ?? 0), staged?.id ?? 0, staged?.generation ?? 0];
  const [etag] = [...found.map((newest) => newest?.etag ?? ""), etagOf(snapshot?.newest ?? "")]
    .filter((text) => text !== "")
    .toSorted()
    .toReversed();
  return { id: Math.max(...ids), etag };
}

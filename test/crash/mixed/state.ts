import { randomBytes } from "node:crypto";

/** All that is known of a blob: what was acknowledged, or what a request would make of it. */
export interface BlobState {
  /** Undefined while there is no blob. */
  readonly content: Buffer | undefined;
  /** Value of the one name that is used; undefined without metadata. */
  readonly metadata: string | undefined;
  /** As that of the metadata. */
  readonly tag: string | undefined;
  /** Id of the lease that is held. */
  readonly lease: string | undefined;
  /** Blocks that were put and not committed, by their ids, in order. */
  readonly waiting: readonly WaitingBlock[];
}

export interface WaitingBlock {
  readonly id: string;
  readonly content: Buffer;
}

export const NOTHING: BlobState = {
  content: undefined,
  metadata: undefined,
  tag: undefined,
  lease: undefined,
  waiting: [],
};

/** Of which most take part in another's flush, and some have one of their own. */
const SIZES = [100, 5000, 70_000, 300_000];

export function newContent(): Buffer {
  return randomBytes(oneOf(SIZES));
}

export function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}

/** The names of what differs; empty when both are the same. */
export function differences(found: FoundState, expected: BlobState): readonly string[] {
  const wanted = expected.waiting.map(({ id, content }) => `${id} ${content.length}`).toSorted();
  const differs: readonly (readonly [string, boolean])[] = [
    ["content", !isSame(found.content, expected.content)],
    ["metadata", found.metadata !== expected.metadata],
    ["tag", found.tag !== expected.tag],
    ["lease", found.isLeased !== (expected.lease !== undefined)],
    ["waiting blocks", found.waiting.join() !== wanted.join()],
  ];
  return differs.flatMap(([name, isDifferent]) => (isDifferent ? [name] : []));
}

/** A blob as the server shows it. */
export interface FoundState extends Pick<BlobState, "content" | "metadata" | "tag"> {
  readonly isLeased: boolean;
  /** `{id} {size}` of each, in order. */
  readonly waiting: readonly string[];
}

function isSame(left: Buffer | undefined, right: Buffer | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.equals(right);
}

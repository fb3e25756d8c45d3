import { Problem } from "#platform/problem.ts";
import type { NewBlock } from "../append-blobs/append.ts";
import type { Call } from "../call.ts";
import type { Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { encryptionOf, type Encryption } from "../encryption/content-key.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import type { BlobRow } from "../store.ts";
import { requireBlockId } from "./block-id.ts";

/** Blocks that may wait for one name. */
const STAGED_MAX = 100_000;

/** The id of the block that a request puts. */
export function blockIdOf({ query }: Call): string {
  const id = query.get("blockid");
  if (id !== undefined) return requireBlockId(id);
  const said = "The query parameter blockid is required: the base64 name of the block.";
  throw new Problem(400, "MissingRequiredQueryParameter", said, {
    fields: { QueryParameterName: "blockid" },
  });
}

/** What can be refused before the bytes are taken; `stageBlock` looks again. */
export function requireBlockPlace(context: Context, call: Call, { blob }: Place): void {
  requireBlockBlob(blob.assigned);
  const leased = { kind: "Blob", lease: blob.assigned?.lease ?? null } as const;
  requireWriteLease(call.headers, leased, context.environment.now());
}

export function requireBlockBlob(existing: BlobRow | undefined): void {
  if (existing === undefined || existing.type === "BlockBlob") return;
  const said = `The blob "${existing.name}" is a ${existing.type}, and has no block list.`;
  throw new Problem(409, "InvalidBlobType", said);
}

/** Keeps a block, whose bytes are in the block store already, until it is committed. */
export async function stageBlock(
  context: Context,
  call: Call,
  place: Place,
  block: NewBlock & Encryption & { readonly blockId: string },
): Promise<void> {
  const { catalog } = context;
  await catalog.staging.use(place.containerId, place.name, async (staged) => {
    place.requireContainer();
    requireBlockPlace(context, call, place);
    requireFits(staged, block.blockId);
    const { blockId, length, pieces } = block;
    const kept = { id: catalog.newId(), blockId, length, pieces, ...encryptionOf(block) };
    await catalog.commit(catalog.staging.stage(place, staged, kept));
  });
}

interface Waiting {
  readonly blocks: ReadonlyMap<string, unknown>;
}

/** Refuses one block too many, and an id of another length than those that wait. */
export function requireFits({ blocks }: Waiting, blockId: string): void {
  if (blocks.has(blockId)) return;
  if (blocks.size >= STAGED_MAX) {
    const said = `${blocks.size} blocks wait to be committed, and ${STAGED_MAX} is the limit.`;
    throw new Problem(409, "BlockCountExceedsLimit", said);
  }
  const [other] = blocks.keys();
  if (other === undefined || other.length === blockId.length) return;
  const said =
    `The block id "${blockId}" has ${blockId.length} characters; the ids of the blocks that ` +
    `wait for this blob have ${other.length}, and all have to be of one length.`;
  throw new Problem(400, "InvalidBlobOrBlock", said);
}

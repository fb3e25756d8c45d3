import { Problem } from "#platform/problem.ts";
import { parseTarget } from "../access/target.ts";
import { newBlobRow, replaceBlob } from "../blobs/replace-blob.ts";
import type { Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import {
  encryptionOf,
  isSharable,
  newContentKey,
  requireSameEncryption,
  sourceKey,
  type ContentKey,
} from "../encryption/content-key.ts";
import { writeUnderKey, type NewRecord } from "../encryption/write-under-key.ts";
import { readVerdict } from "../protocol/conditions.ts";
import { tooLarge } from "../protocol/header-values.ts";
import { findSnapshot, snapshotOf } from "../snapshots/find-snapshot.ts";
import { inTurn } from "../snapshots/turns.ts";
import { sourceConditionNotMet } from "../sources/cannot-verify.ts";
import { openSource, verified } from "../sources/own-source.ts";
import type { BlobRow } from "../store.ts";
import { requireOnline } from "../tiers/tiers.ts";
import {
  copiedBlob,
  requireSameType,
  requireTarget,
  succeeded,
  type CopyRequest,
} from "./copy-request.ts";
import { refusePendingCopy } from "./copy-state.ts";

/** Bytes of a copy that the client waits for. */
export const SYNC_COPY_MAX = 256 * 2 ** 20;

/**
 * Copies within the store at once: the new blob refers to the bytes of the old one, unless the two
 * are encrypted differently.
 */
export async function copyOwn(
  context: Context,
  call: Call,
  request: CopyRequest,
): Promise<BlobRow> {
  const { url } = request.source;
  const from = parseTarget(url.pathname + url.search);
  const opened = await verified(() => openSource(context, call, request.source));
  const { key } = await verified(async () => sourceKey(context, call, from.account, opened));
  const snapshot = snapshotOf(from);
  return usePlace(context, from, (source) => {
    const copyTo = (find: OwnCopy["find"]) =>
      usePlace(context, call, async (place) => {
        const contentKey = newContentKey(context, call, place.container);
        const copy = { request, contentKey, find };
        if (isSharable(opened, contentKey, from.account === call.account)) {
          return decideCopy(context, call, place, copy);
        }
        requireSource(opened, call, request);
        requireTarget(context, call, place, request);
        const blocks = await verified(() => writeUnderKey(context, { ...opened, key }, contentKey));
        const findRead = () => unchanged(opened, find());
        return decideCopy(context, call, place, { ...copy, find: findRead, blocks });
      });
    if (snapshot === undefined) return copyTo(() => source.blob.assigned);
    // Nobody deletes the snapshot until the copy is on disk.
    return inTurn(source.blob, async () => {
      const found = await findSnapshot(context, source, snapshot);
      return copyTo(() => found);
    });
  });
}

/**
 * The blob that was read, if it is still there. Its bytes are those that it had then, save that
 * pages change.
 */
function unchanged(opened: BlobRow, now: BlobRow | undefined): BlobRow | undefined {
  if (now === undefined) return undefined;
  if (now.id === opened.id && (opened.type !== "PageBlob" || now.etag === opened.etag)) {
    return opened;
  }
  const said = "The copy source was written to while it was encrypted anew; ask for it again.";
  throw new Problem(409, "CannotVerifyCopySource", said);
}

interface OwnCopy {
  readonly request: CopyRequest;
  readonly contentKey: ContentKey;
  /** The source as it is at this moment. */
  readonly find: () => BlobRow | undefined;
  /** Records of its bytes, written anew; undefined where the source's own will do. */
  readonly blocks?: readonly NewRecord[];
}

async function decideCopy(
  context: Context,
  call: Call,
  place: Place,
  { request, contentKey, find, blocks }: OwnCopy,
): Promise<BlobRow> {
  place.requireContainer();
  const source = find();
  if (source === undefined) {
    throw new Problem(404, "CannotVerifyCopySource", "The copy source was deleted just now.");
  }
  refusePendingCopy(context, source);
  requireSource(source, call, request);
  if (blocks === undefined) requireSameEncryption(source, contentKey);
  const lease = requireTarget(context, call, place, request);
  requireSameType(place, source.type);
  const metadata = request.metadata ?? source.metadata;
  const { tags } = source;
  const { copiesTags } = request.source;
  const row = newBlobRow(
    context,
    place,
    { stamp: context.catalog.stamp(), lease },
    {
      ...copiedBlob(context, call, source, { properties: source, metadata, tags, copiesTags }),
      ...encryptionOf(contentKey),
      copy: JSON.stringify(succeeded(context, request, source.length)),
    },
  );
  const shared = { source: { id: source.id, length: source.length } };
  const own = blocks?.map((block) => ({ ...block, blobId: row.id }));
  await replaceBlob(context, place, row, own === undefined ? shared : { blocks: own });
  return row;
}

function requireSource(source: BlobRow, { version }: Call, { source: asked, isSync }: CopyRequest) {
  if (readVerdict(asked.conditions, source, version) !== "met") {
    throw sourceConditionNotMet(version);
  }
  requireOnline(source);
  if (!isSync) return;
  if (source.length > SYNC_COPY_MAX)
    throw tooLarge("The copy source", source.length, SYNC_COPY_MAX);
  if (source.type === "BlockBlob") return;
  const said = `The copy source is a ${source.type}; x-svc-requires-sync copies block blobs only.`;
  throw new Problem(409, "InvalidSourceBlobType", said);
}

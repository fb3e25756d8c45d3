import { Problem } from "#platform/problem.ts";
import { rowsOf } from "../append-blobs/append.ts";
import { newBlobRow, replaceBlob } from "../blobs/replace-blob.ts";
import type { Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { encryptionOf, newContentKey, type ContentKey } from "../encryption/content-key.ts";
import { putBlobMax } from "../protocol/versions.ts";
import { takeForeignSource } from "../sources/foreign-source.ts";
import type { Taken } from "../sources/taken.ts";
import type { BlobRow } from "../store.ts";
import {
  copiedBlob,
  requireSameType,
  requireTarget,
  succeeded,
  type CopyRequest,
} from "./copy-request.ts";
import { SYNC_COPY_MAX } from "./copy-own.ts";
import { shownSource, type CopyState } from "./copy-state.ts";

/** How long a copy in the background may read its source. */
const READ_MS_MAX = 24 * 3_600_000;
const NEWEST = "9999";
const NO_ORIGIN = {
  properties: {
    contentType: null,
    contentEncoding: null,
    contentLanguage: null,
    contentDisposition: null,
    cacheControl: null,
    contentMd5: null,
  },
  metadata: "{}",
  tags: null,
  copiesTags: false,
};

/** Copies from another server while the client waits. */
export async function copyForeignNow(
  context: Context,
  call: Call,
  request: CopyRequest,
): Promise<BlobRow> {
  return usePlace(context, call, async (place) => {
    requireTarget(context, call, place, request);
    const contentKey = newContentKey(context, call, place.container);
    const { key } = contentKey;
    const options = { bytesMax: SYNC_COPY_MAX, md5: false, mayBeEmpty: true, key };
    const taken = await takeForeignSource(context, call, request.source, options);
    place.requireContainer();
    const lease = requireTarget(context, call, place, request);
    requireSameType(place, "BlockBlob");
    const decided = { stamp: context.catalog.stamp(), lease };
    const blob = { ...takenBlob(context, call, request, taken), ...encryptionOf(contentKey) };
    const row = newBlobRow(context, place, decided, blob);
    await replaceBlob(context, place, row, { blocks: rowsOf(row.id, 0, taken.pieces) });
    return row;
  });
}

/** Makes the target, empty, and copies from another server in the background. */
export async function copyForeignLater(
  context: Context,
  call: Call,
  request: CopyRequest,
): Promise<BlobRow> {
  const { catalog, copies } = context;
  return usePlace(context, call, async (place) => {
    place.requireContainer();
    const lease = requireTarget(context, call, place, request);
    requireSameType(place, "BlockBlob");
    if (copies.isFull()) throw new Problem(503, "ServerBusy", "Too many copies are under way.");
    const contentKey = newContentKey(context, call, place.container);
    const pending = stateOf(request, { status: "pending", progress: "0/0" });
    const row = newBlobRow(
      context,
      place,
      { stamp: catalog.stamp(), lease },
      {
        ...copiedBlob(context, call, EMPTY, NO_ORIGIN),
        ...encryptionOf(contentKey),
        copy: JSON.stringify(pending),
      },
    );
    const made = Promise.withResolvers<void>();
    copies.start(request.id, async (signal) => {
      await made.promise;
      await finish(context, call, { ...request, key: contentKey.key }, signal);
    });
    const onDisk = replaceBlob(context, place, row, { blocks: [] });
    made.resolve(onDisk);
    await onDisk;
    return row;
  });
}

const EMPTY = { type: "BlockBlob", length: 0, blockCount: 0, sequenceNumber: null };

async function finish(
  context: Context,
  call: Call,
  request: CopyRequest & Pick<ContentKey, "key">,
  signal: AbortSignal,
): Promise<void> {
  const source = { ...request.source, timeoutMs: READ_MS_MAX };
  const ended = context.inFlight.begin();
  try {
    const bytesMax = putBlobMax(NEWEST);
    const options = { bytesMax, md5: false, mayBeEmpty: true, key: request.key, signal };
    const taken = await takeForeignSource(context, call, source, options);
    await settle(context, call, request, (row, place) => {
      const blob = takenBlob(context, call, request, taken);
      const whole = { ...row, ...blob, id: context.catalog.newId(), ...context.catalog.stamp() };
      return replaceBlob(context, place, whole, { blocks: rowsOf(whole.id, 0, taken.pieces) });
    });
  } catch (error) {
    if (signal.aborted) return;
    const description = error instanceof Problem ? error.message : "The copy failed.";
    if (!(error instanceof Problem)) context.log.error(error, "A copy has failed");
    const completedAt = context.environment.now().toISOString();
    const failed = { status: "failed", progress: "0/0", description, completedAt } as const;
    await settle(context, call, request, async (row, place) => {
      const copy = JSON.stringify(stateOf(request, failed));
      const after = { ...row, copy, ...context.catalog.stamp() };
      await context.catalog.change(place.blob, after, { kind: "blob", row: after, blocks: [] });
    });
  } finally {
    ended();
  }
}

/** Ends a copy, if the blob that it was for is still there and waits for it. */
async function settle(
  context: Context,
  call: Call,
  { id }: CopyRequest,
  work: (row: BlobRow, place: Place) => Promise<void>,
): Promise<void> {
  await usePlace(context, call, async (place) => {
    const row = place.blob.assigned;
    if (!context.copies.isRunning(id) || row?.copy?.includes(id) !== true) return;
    place.requireContainer();
    await work(row, place);
  });
}

function takenBlob(context: Context, call: Call, request: CopyRequest, { length, origin }: Taken) {
  const metadata = request.metadata ?? origin.metadata;
  const { copiesTags } = request.source;
  return {
    ...copiedBlob(context, call, { ...EMPTY, length }, { ...origin, metadata, copiesTags }),
    copy: JSON.stringify(succeeded(context, request, length)),
  };
}

function stateOf(
  { id, source }: CopyRequest,
  state: Pick<CopyState, "progress" | "status"> & Partial<CopyState>,
): CopyState {
  return { id, source: shownSource(source.url), completedAt: null, description: null, ...state };
}

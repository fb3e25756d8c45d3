import { Problem } from "#platform/problem.ts";
import { rowsOf } from "../append-blobs/append.ts";
import { newBlobRow, replaceBlob } from "../blobs/replace-blob.ts";
import { tierAndTags } from "../blobs/tier-and-tags.ts";
import type { Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { encryptionOf, newContentKey } from "../encryption/content-key.ts";
import { headerValue } from "../protocol/header-values.ts";
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
import { openCopy, sealCopy, type ForeignCopy } from "./foreign-copy.ts";
import { runForeignCopy } from "./run-foreign-copy.ts";

const NO_CONTENT = {
  contentType: null,
  contentEncoding: null,
  contentLanguage: null,
  contentDisposition: null,
  cacheControl: null,
  contentMd5: null,
  metadata: "{}",
  length: 0,
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
    requireBlockBlobs(place, taken);
    const decided = { stamp: context.catalog.stamp(), lease };
    const { copiesTags } = request.source;
    const { length, origin } = taken;
    const metadata = request.metadata ?? origin.metadata;
    const copied = { ...origin.kind, length };
    const blob = {
      ...copiedBlob(context, call, copied, { ...origin, metadata, copiesTags }),
      ...encryptionOf(contentKey),
      copy: JSON.stringify(succeeded(context, request, length)),
    };
    const row = newBlobRow(context, place, decided, blob);
    await replaceBlob(context, place, row, { blocks: rowsOf(row.id, 0, taken.pieces) });
    return row;
  });
}

/** What the client waits for is of one kind, as within the store. */
function requireBlockBlobs(place: Place, { origin }: Taken): void {
  const { type } = origin.kind;
  if (type === "BlockBlob") return requireSameType(place, type);
  const said = `The copy source is a ${type}; x-svc-requires-sync copies block blobs only.`;
  throw new Problem(409, "InvalidSourceBlobType", said);
}

/** Makes the target, empty, and copies from another server in the background. */
export async function copyForeignLater(
  context: Context,
  call: Call,
  request: CopyRequest,
): Promise<BlobRow> {
  const { catalog, copies, sealer } = context;
  return usePlace(context, call, async (place) => {
    place.requireContainer();
    const lease = requireTarget(context, call, place, request);
    if (copies.isFull()) throw new Problem(503, "ServerBusy", "Too many copies are under way.");
    const typeBefore = place.blob.assigned?.type ?? null;
    const copy = foreignCopyOf(context, call, request, typeBefore);
    const row = newBlobRow(
      context,
      place,
      { stamp: catalog.stamp(), lease },
      {
        ...NO_CONTENT,
        ...encryptionOf(newContentKey(context, call, place.container)),
        type: typeBefore ?? "BlockBlob",
        copy: JSON.stringify(pending(request)),
        copyRequest: sealCopy(sealer, copy),
      },
    );
    const made = Promise.withResolvers<void>();
    copies.start(request.id, async (signal) => {
      await made.promise;
      await runForeignCopy(context, copy, signal);
    });
    const onDisk = replaceBlob(context, place, row, { blocks: [] });
    made.resolve(onDisk);
    await onDisk;
    return row;
  });
}

/** Goes on with the copies that were under way when the service ended. */
export async function resumeCopies(context: Context): Promise<void> {
  const { store, copies, sealer } = context;
  const rows = await store.db
    .selectFrom("blob")
    .select("copyRequest")
    .where("copyRequest", "is not", null)
    .execute();
  for (const { copyRequest } of rows) {
    if (copyRequest === null) continue;
    const copy = openCopy(sealer, copyRequest);
    copies.start(copy.id, (signal) => runForeignCopy(context, copy, signal));
  }
}

function foreignCopyOf(
  context: Context,
  call: Call,
  { id, source, metadata: sent }: CopyRequest,
  typeBefore: string | null,
): ForeignCopy {
  const { account, container, blob, headers, version } = call;
  const { url, conditionHeaders, copiesTags } = source;
  const { authorization = null, intent = null, leaseId = null } = source;
  // Whether the tier fits is known when the source has said what it is.
  const given = tierAndTags(context, call, "BlockBlob");
  const seals = headerValue(headers, "x-svc-seal-blob")?.toLowerCase() === "true";
  const metadata = sent ?? null;
  const target = { account, container, blob };
  const credentials = { authorization, intent, leaseId };
  const asked = { url: url.href, conditionHeaders, ...credentials, copiesTags, version };
  return { id, target, ...asked, ...given, metadata, seals, typeBefore, found: null };
}

function pending({ id, source }: CopyRequest): CopyState {
  const ends = { completedAt: null, description: null };
  return { id, source: shownSource(source.url), status: "pending", progress: "0/0", ...ends };
}

import { Problem } from "#platform/problem.ts";
import { parseTarget } from "../access/target.ts";
import { newBlobRow } from "../blobs/replace-blob.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { copiedBlob, parseCopyRequest, succeeded, type CopyRequest } from "../copy/copy-request.ts";
import { isIncremental, readCopy } from "../copy/copy-state.ts";
import { encryptionOf, newContentKey, requireSharable } from "../encryption/content-key.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { readVerdict, requireWriteConditions } from "../protocol/conditions.ts";
import { notImplemented } from "../protocol/features.ts";
import { contentLength, invalidHeader } from "../protocol/header-values.ts";
import { requireSince, SINCE } from "../protocol/versions.ts";
import { findSnapshot, snapshotOf } from "../snapshots/find-snapshot.ts";
import { inTurn } from "../snapshots/turns.ts";
import { cannotVerify, sourceConditionNotMet } from "../sources/cannot-verify.ts";
import { openSource, verified } from "../sources/own-source.ts";
import { isOwnSource } from "../sources/take-source.ts";
import { timeOfEtag } from "../state/stamps.ts";
import type { BlobRow } from "../store.ts";

/**
 * `PUT /{account}/{container}/{blob}?comp=incrementalcopy`: makes the target a copy of a snapshot
 * of a page blob, and takes a snapshot of the target. What the snapshot before has as well is
 * shared, so it takes the space of what differs.
 */
export async function incrementalCopy(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.incrementalCopy, "Incremental Copy Blob");
  const length = contentLength(headers);
  if (length !== 0) {
    throw invalidHeader("Content-Length", String(length), "and a copy has no body");
  }
  const request = parseCopyRequest(context, call);
  if (!isOwnSource(context, request.source)) {
    throw notImplemented("incremental copies from another server");
  }
  const { url } = request.source;
  const from = parseTarget(url.pathname + url.search);
  const snapshot = snapshotOf(from);
  if (snapshot === undefined) {
    const said = "The copy source is no snapshot; a page blob is copied from its snapshots.";
    throw new Problem(409, "IncrementalCopySourceMustBeSnapshot", said);
  }
  await verified(() => openSource(context, call, request.source));
  const row = await usePlace(context, from, (source) =>
    // Nobody deletes the snapshot until the copy is on disk.
    inTurn(source.blob, async () => {
      const found = await findSnapshot(context, source, snapshot);
      if (found === undefined) throw cannotVerify(404, "The snapshot was deleted just now.");
      if (readVerdict(request.source.conditions, found, version) !== "met") {
        throw sourceConditionNotMet(version);
      }
      return usePlace(context, call, (place) =>
        decideIncrement(context, call, place, { request, source: found, account: from.account }),
      );
    }),
  );
  return {
    status: 202,
    headers: {
      ...stampHeaders(row, version),
      "x-svc-copy-id": request.id,
      "x-svc-copy-status": "success",
    },
  };
}

interface Increment {
  readonly request: CopyRequest;
  readonly source: BlobRow;
  /** Of the source. */
  readonly account: string;
}

async function decideIncrement(
  context: Context,
  call: Call,
  place: Place,
  { request, source, account }: Increment,
): Promise<BlobRow> {
  const { catalog, environment } = context;
  place.requireContainer();
  const existing = place.blob.assigned;
  requireWriteConditions(request.conditions, existing);
  const leased = { kind: "Blob", lease: existing?.lease ?? null } as const;
  const lease = requireWriteLease(call.headers, leased, environment.now());
  requireNext(existing, request, source);
  const encryption = newContentKey(context, call, place.container);
  requireSharable(source, encryption, account === call.account);

  const stamp = catalog.stamp();
  const snapshot = timeOfEtag(stamp.etag);
  const { metadata, tags } = source;
  const origin = { properties: source, metadata: request.metadata ?? metadata, tags };
  const fresh = newBlobRow(
    context,
    place,
    { stamp, lease },
    {
      ...copiedBlob(context, call, source, { ...origin, copiesTags: request.source.copiesTags }),
      ...encryptionOf(encryption),
      copy: JSON.stringify({ ...succeeded(context, request, source.length), snapshot }),
    },
  );
  const snapshotCount = fresh.snapshotCount + 1;
  const row = { ...fresh, snapshotCount, createdAt: existing?.createdAt ?? fresh.createdAt };
  const kept = { ...row, id: catalog.newId(), snapshot, snapshotCount: 0, lease: null };
  const { length } = source;
  const dropped = catalog.staging.drop(place.containerId, place.name);
  await catalog.change(place.blob, row, {
    kind: "all",
    changes: [
      { kind: "blob-copied", row, source: { id: source.id, length }, replaces: existing?.id },
      { kind: "blob-copied", row: kept, source: { id: row.id, length }, replaces: undefined },
      ...dropped,
    ],
  });
  return row;
}

/** Refuses another source than before, and an older state of it than is there. */
function requireNext(existing: BlobRow | undefined, request: CopyRequest, source: BlobRow): void {
  if (source.type !== "PageBlob") {
    const said = `The copy source is a ${source.type}; only a PageBlob is copied incrementally.`;
    throw new Problem(409, "InvalidSourceBlobType", said);
  }
  if (existing === undefined) return;
  const before = isIncremental(existing) ? new URL(readCopy(existing.copy ?? "").source) : null;
  if (before?.pathname !== request.source.url.pathname) {
    const said = `The blob "${existing.name}" is there, and no incremental copy of this source.`;
    throw new Problem(409, "IncrementalCopyBlobMismatch", said);
  }
  const last = before.searchParams.get("snapshot") ?? "";
  if (source.snapshot >= last) return;
  const said = `The snapshot is older than ${last}, of which the blob is a copy already.`;
  throw new Problem(409, "IncrementalCopyOfEarlierVersionSnapshotNotAllowed", said);
}

import type { Answer, Call } from "../call.ts";
import { blobNotFound, usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { refusePendingCopy } from "../copy/copy-state.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { encryptedHeader, writingKey } from "../encryption/content-key.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
  type Conditions,
} from "../protocol/conditions.ts";
import { parseMetadata } from "../protocol/metadata.ts";
import { timeOfEtag } from "../state/stamps.ts";
import type { BlobRow } from "../store.ts";

interface SnapshotRequest {
  readonly conditions: Conditions;
  /** Undefined where the snapshot has that of the blob. */
  readonly metadata: string | undefined;
}

/** `PUT /{account}/{container}/{blob}?comp=snapshot`: keeps the blob as it is now. */
export async function snapshotBlob(context: Context, call: Call): Promise<Answer> {
  const { headers, version, request } = call;
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  const given = parseMetadata(request.raw.rawHeaders);
  const metadata = Object.keys(given).length === 0 ? undefined : JSON.stringify(given);
  const row = await usePlace(context, call, (place) =>
    decideSnapshot(context, call, place, { conditions, metadata }),
  );
  return {
    status: 201,
    headers: {
      ...stampHeaders(row, version),
      ...encryptedHeader(row, version),
      "x-svc-snapshot": row.snapshot,
    },
  };
}

/** The snapshot refers to the blob's bytes; none are copied. */
async function decideSnapshot(
  context: Context,
  call: Call,
  place: Place,
  { conditions, metadata }: SnapshotRequest,
): Promise<BlobRow> {
  const { catalog, environment } = context;
  place.requireContainer();
  const existing = place.blob.assigned;
  if (existing === undefined) throw blobNotFound(call);
  requireWriteConditions(conditions, existing);
  const leased = { kind: "Blob", lease: existing.lease } as const;
  requireReadLease(call.headers, leased, environment.now());
  refusePendingCopy(context, existing);
  writingKey(context, call, existing);
  const stamp = catalog.stamp();
  const row: BlobRow = {
    ...existing,
    ...(metadata !== undefined && { metadata, ...stamp }),
    id: catalog.newId(),
    snapshot: timeOfEtag(stamp.etag),
    snapshotCount: 0,
    lease: null,
  };
  const source = { id: existing.id, length: existing.length };
  const base = { ...existing, snapshotCount: existing.snapshotCount + 1 };
  await catalog.change(place.blob, base, {
    kind: "all",
    changes: [
      { kind: "blob-copied", row, source, replaces: undefined },
      { kind: "blob", row: base, blocks: [] },
    ],
  });
  return row;
}

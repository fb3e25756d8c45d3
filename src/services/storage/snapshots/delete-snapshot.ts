import type { Call } from "../call.ts";
import { blobNotFound, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { requireWriteConditions, type Conditions } from "../protocol/conditions.ts";
import { findSnapshot } from "./find-snapshot.ts";

interface DeleteRequest {
  readonly conditions: Conditions;
  readonly snapshot: string;
}

/** Deletes one snapshot; to be called in turn with all that deletes snapshots of the blob. */
export async function deleteSnapshot(
  context: Context,
  call: Call,
  place: Place,
  { conditions, snapshot }: DeleteRequest,
): Promise<void> {
  const { catalog, environment } = context;
  const found = await findSnapshot(context, place, snapshot);
  place.requireContainer();
  const existing = place.blob.assigned;
  if (found === undefined || existing === undefined) throw blobNotFound(call);
  requireWriteConditions(conditions, found);
  requireReadLease(call.headers, { kind: "Blob", lease: null }, environment.now());
  const base = { ...existing, snapshotCount: existing.snapshotCount - 1 };
  await catalog.change(place.blob, base, {
    kind: "all",
    changes: [
      { kind: "blob-deleted", id: found.id },
      { kind: "blob", row: base, blocks: [] },
    ],
  });
}

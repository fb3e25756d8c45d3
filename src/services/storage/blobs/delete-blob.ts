import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import { blobNotFound, usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
  type Conditions,
} from "../protocol/conditions.ts";
import { headerValue, invalidHeader } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";
import { deleteSnapshot } from "../snapshots/delete-snapshot.ts";
import { snapshotOf } from "../snapshots/find-snapshot.ts";
import { inTurn } from "../snapshots/turns.ts";
import type { BlobRow } from "../store.ts";

const HEADER = "x-svc-delete-snapshots";

/** `DELETE /{account}/{container}/{blob}`: the blob, its snapshots, both, or one snapshot. */
export async function deleteBlob(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  const which = whichOf(headerValue(headers, HEADER));
  const snapshot = snapshotOf(call);
  if (snapshot !== undefined && which !== undefined) {
    throw invalidHeader(HEADER, which, "and the request names one snapshot already");
  }
  await usePlace(context, call, (place) =>
    inTurn(place.blob, async () => {
      if (snapshot === undefined) return decideDelete(context, call, place, { conditions, which });
      return deleteSnapshot(context, call, place, { conditions, snapshot });
    }),
  );
  const permanent = version >= SINCE.errorCodeHeader ? "true" : undefined;
  return { status: 202, headers: { "x-svc-delete-type-permanent": permanent } };
}

type Which = "include" | "only" | undefined;

function whichOf(value: string | undefined): Which {
  if (value === undefined || value === "include" || value === "only") return value;
  throw invalidHeader(HEADER, value, "which is neither include nor only");
}

interface DeleteRequest {
  readonly conditions: Conditions;
  readonly which: Which;
}

async function decideDelete(
  context: Context,
  call: Call,
  place: Place,
  { conditions, which }: DeleteRequest,
): Promise<void> {
  const { catalog, environment } = context;
  place.requireContainer();
  const existing = place.blob.assigned;
  if (existing === undefined) throw blobNotFound(call);
  requireWriteConditions(conditions, existing);
  const leased = { kind: "Blob", lease: existing.lease } as const;
  requireWriteLease(call.headers, leased, environment.now());
  requireNoSnapshots(existing, which);
  const { containerId, name } = place;
  const snapshots =
    existing.snapshotCount === 0 ? [] : [{ kind: "snapshots-deleted", containerId, name } as const];
  if (which === "only") {
    const row = { ...existing, snapshotCount: 0 };
    const changes = [...snapshots, { kind: "blob", row, blocks: [] } as const];
    return catalog.change(place.blob, row, { kind: "all", changes });
  }
  const dropped = catalog.staging.drop(containerId, name);
  const deleted = { kind: "blob-deleted", id: existing.id } as const;
  const changes = [...snapshots, deleted, ...dropped];
  return catalog.change(
    place.blob,
    undefined,
    changes.length === 1 ? deleted : { kind: "all", changes },
  );
}

function requireNoSnapshots({ name, snapshotCount }: BlobRow, which: Which): void {
  if (snapshotCount === 0 || which !== undefined) return;
  throw new Problem(
    409,
    "SnapshotsPresent",
    `The blob "${name}" has ${snapshotCount} snapshots: send ${HEADER}: include to delete them ` +
      "as well, or only to delete nothing else.",
  );
}

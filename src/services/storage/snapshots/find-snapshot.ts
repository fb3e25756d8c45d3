import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import type { Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { etagOf, timeOfEtag } from "../state/stamps.ts";
import type { BlobRow } from "../store.ts";

/** The snapshot that a request names, as it is stored; undefined where it means the blob itself. */
export function snapshotOf({ query }: Pick<Call, "query">): string | undefined {
  const value = query.get("snapshot");
  if (value === undefined || value === "") return undefined;
  const etag = etagOf(value);
  if (etag !== "") return timeOfEtag(etag);
  const said = `snapshot is "${value}", which is no time such as 2026-01-31T12:00:00.1234567Z.`;
  throw new Problem(400, "InvalidQueryParameterValue", said, {
    fields: { QueryParameterName: "snapshot", QueryParameterValue: value, Reason: said },
  });
}

/** The blob, or the snapshot of it that a request names, as readers may see it. */
export async function visibleRow(
  context: Context,
  place: Place,
  call: Pick<Call, "query">,
): Promise<BlobRow | undefined> {
  const snapshot = snapshotOf(call);
  if (snapshot === undefined) return place.blob.visible;
  return findSnapshot(context, place, snapshot);
}

/** Snapshots never change, so what is on disk is what there is. */
export async function findSnapshot(
  { store }: Context,
  { containerId, name }: Place,
  snapshot: string,
): Promise<BlobRow | undefined> {
  return store.db
    .selectFrom("blob")
    .selectAll()
    .where("containerId", "=", containerId)
    .where("name", "=", name)
    .where("snapshot", "=", snapshot)
    .executeTakeFirst();
}

/** Snapshots are read and deleted; whatever else names one is a 400. */
export function refuseWriteToSnapshot(method: string, call: Pick<Call, "blob" | "query">): void {
  if (method !== "PUT" || call.blob === "" || !call.query.has("snapshot")) return;
  const said = "The query parameter snapshot names a snapshot, and snapshots are not written to.";
  throw new Problem(400, "InvalidOperation", said);
}

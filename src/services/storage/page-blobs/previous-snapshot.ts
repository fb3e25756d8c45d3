import { Problem } from "#platform/problem.ts";
import { parseTarget } from "../access/target.ts";
import type { Call } from "../call.ts";
import type { Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { headerValue } from "../protocol/header-values.ts";
import { requireSince, SINCE } from "../protocol/versions.ts";
import { findSnapshot, snapshotOf } from "../snapshots/find-snapshot.ts";
import type { BlobRow } from "../store.ts";

const URL_HEADER = "x-svc-previous-snapshot-url";

/**
 * The snapshot that a list of page ranges compares with; undefined where it compares with none.
 * 409 where it is not there, or the blob has been made anew since.
 */
export async function previousSnapshot(
  context: Context,
  call: Call,
  place: Place,
  blob: BlobRow,
): Promise<BlobRow | undefined> {
  const name = nameOf(call);
  if (name === undefined) return undefined;
  requireSince(call.version, SINCE.pageRangesDiff, "A list of pages that differ");
  if (blob.snapshot !== "" && name > blob.snapshot) {
    const said = `prevsnapshot is ${name}, which is newer than the snapshot ${blob.snapshot}.`;
    throw new Problem(400, "PreviousSnapshotCannotBeNewer", said);
  }
  const found = await findSnapshot(context, place, name);
  if (found === undefined) {
    const said = `The blob "${call.blob}" has no snapshot ${name} to compare with.`;
    throw new Problem(409, "PreviousSnapshotNotFound", said);
  }
  if (found.type !== "PageBlob") {
    const said = `The snapshot ${name} is of a ${found.type}, which has no pages.`;
    throw new Problem(409, "PreviousSnapshotOperationNotSupported", said);
  }
  if (isEarlier(found, blob)) return found;
  const said = `The blob "${call.blob}" was made anew after the snapshot ${name} was taken.`;
  throw new Problem(409, "BlobOverwritten", said);
}

/** Whether a snapshot is of this blob, and not of one that had its name before. */
function isEarlier(found: BlobRow, blob: BlobRow): boolean {
  if (found.createdAt !== blob.createdAt) return false;
  return blob.snapshot !== "" || found.id > blob.id;
}

/** The name of the snapshot: by the query, or by a URL of this blob. */
function nameOf(call: Call): string | undefined {
  const named = call.query.get("prevsnapshot");
  const url = headerValue(call.headers, URL_HEADER);
  if (url === undefined) {
    return named === undefined ? undefined : snapshotOf({ query: asSnapshot(named) });
  }
  const parsed = URL.parse(url);
  const target = parsed === null ? undefined : parseTarget(parsed.pathname + parsed.search);
  const isSame = (["account", "container", "blob"] as const).every(
    (part) => target?.[part] === call[part],
  );
  const name = target === undefined || !isSame ? undefined : snapshotOf(target);
  if (name !== undefined && named === undefined) return name;
  const said =
    named === undefined
      ? `${URL_HEADER} is not the URL of a snapshot of this blob.`
      : `prevsnapshot and ${URL_HEADER} were both sent; a request has one of them.`;
  throw new Problem(400, "InvalidHeaderValue", said, { fields: { HeaderName: URL_HEADER } });
}

function asSnapshot(name: string): ReadonlyMap<string, string> {
  return new Map([["snapshot", name]]);
}

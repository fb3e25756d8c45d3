import type { Answer, Call } from "../call.ts";
import { blobNotFound, usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
} from "../protocol/conditions.ts";
import { notImplemented } from "../protocol/features.ts";
import { headerValue, invalidHeader } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";

/** `DELETE /{account}/{container}/{blob}` */
export async function deleteBlob(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireBaseBlob(headerValue(headers, "x-svc-delete-snapshots"));
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  return usePlace(context, call, async ({ blob, requireContainer }) => {
    requireContainer();
    const existing = blob.assigned;
    if (existing === undefined) throw blobNotFound(call);
    requireWriteConditions(conditions, existing);
    const leased = { kind: "Blob", lease: existing.lease } as const;
    requireWriteLease(headers, leased, context.environment.now());
    await context.catalog.change(blob, undefined, { kind: "blob-deleted", id: existing.id });
    const permanent = version >= SINCE.errorCodeHeader ? "true" : undefined;
    return { status: 202, headers: { "x-svc-delete-type-permanent": permanent } };
  });
}

/** A blob has no snapshots yet, so including them is the same as not mentioning them. */
function requireBaseBlob(value: string | undefined): void {
  if (value === undefined || value === "include") return;
  if (value === "only") throw notImplemented("snapshots (x-svc-delete-snapshots: only)");
  throw invalidHeader("x-svc-delete-snapshots", value, "which is neither include nor only");
}

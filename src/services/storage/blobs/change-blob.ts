import type { Call } from "../call.ts";
import { blobNotFound, usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { refusePendingCopy } from "../copy/copy-state.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
} from "../protocol/conditions.ts";
import type { SingleChange } from "../state/changes.ts";
import type { BlobRow } from "../store.ts";

/**
 * Changes what a blob's row says, if the conditions and the lease of the request allow it.
 * `decide` returns the columns that change, and `contentChanges` what follows for the content;
 * they are called in the one step that nothing may wait in. Resolves to the new row once it is on
 * disk.
 */
export async function changeBlob(
  context: Context,
  call: Call,
  decide: (existing: BlobRow) => Partial<BlobRow>,
  contentChanges: (existing: BlobRow, row: BlobRow) => readonly SingleChange[] = () => [],
): Promise<BlobRow> {
  const { catalog, environment } = context;
  const { headers } = call;
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  return usePlace(context, call, async ({ blob, requireContainer }) => {
    requireContainer();
    const existing = blob.assigned;
    if (existing === undefined) throw blobNotFound(call);
    requireWriteConditions(conditions, existing);
    const leased = { kind: "Blob", lease: existing.lease } as const;
    const lease = requireWriteLease(headers, leased, environment.now());
    // The end of the copy would undo the change.
    refusePendingCopy(context, existing);
    const row = { ...existing, lease, ...decide(existing) };
    const change = { kind: "blob", row, blocks: [] } as const;
    const others = contentChanges(existing, row);
    const all = { kind: "all", changes: [change, ...others] } as const;
    await catalog.change(blob, row, others.length === 0 ? change : all);
    return row;
  });
}

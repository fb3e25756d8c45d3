import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import type { Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { refusePendingCopy } from "../copy/copy-state.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import { requireWriteConditions, type Conditions } from "../protocol/conditions.ts";
import type { Stamp } from "../state/stamps.ts";
import type { BlobRow, BlockRow } from "../store.ts";
import type { ContentProperties } from "./content-properties.ts";

/** Refuses what the blob's state does not allow; returns the lease that goes on. */
export function requireMayReplace(
  context: Context,
  call: Call,
  { blob }: Place,
  conditions: Conditions,
): string | null {
  const existing = blob.assigned;
  if (existing !== undefined && conditions.ifNoneMatch?.includes("*") === true) {
    const said = `The blob "${call.blob}" exists already, and If-None-Match is *.`;
    throw new Problem(409, "BlobAlreadyExists", said);
  }
  requireWriteConditions(conditions, existing);
  const leased = { kind: "Blob", lease: existing?.lease ?? null } as const;
  const lease = requireWriteLease(call.headers, leased, context.environment.now());
  if (existing !== undefined && !call.rights.mayOverwrite) {
    const said = `The blob "${call.blob}" exists, and the credentials allow creating blobs only.`;
    throw new Problem(403, "UnauthorizedBlobOverwrite", said);
  }
  refusePendingCopy(context, existing);
  return lease;
}

/** What a new blob has that its place does not say. */
export type NewBlob = ContentProperties &
  Partial<Pick<BlobRow, "blockCount" | "copy" | "copyRequest" | "sealed" | "sequenceNumber">> &
  Partial<Pick<BlobRow, "tags" | "tier" | "tierChangedAt">> &
  Pick<BlobRow, "encryptionKeySha256" | "encryptionScope" | "length" | "metadata" | "type">;

interface Decided {
  readonly stamp: Stamp;
  /** The lease that goes on. */
  readonly lease: string | null;
}

/** The row of a blob that takes the name of whatever has it now. */
export function newBlobRow(
  { catalog }: Context,
  { blob, containerId, name }: Place,
  { stamp, lease }: Decided,
  created: NewBlob,
): BlobRow {
  return {
    blockCount: 0,
    copy: null,
    copyRequest: null,
    sealed: 0,
    sequenceNumber: null,
    tags: null,
    tier: null,
    tierChangedAt: null,
    ...created,
    ...stamp,
    id: catalog.newId(),
    containerId,
    name,
    snapshot: "",
    createdAt: stamp.lastModified,
    lease,
    snapshotCount: blob.assigned?.snapshotCount ?? 0,
  };
}

/** Where the bytes of a new blob are: in blocks of its own, or in those of another blob. */
export type NewContent =
  | { readonly blocks: readonly BlockRow[] }
  | { readonly source: { readonly id: number; readonly length: number } };

/** Puts a blob in the place of what is there; blocks that waited for the name are dropped. */
export async function replaceBlob(
  { catalog }: Context,
  { blob, containerId, name }: Place,
  row: BlobRow,
  content: NewContent,
): Promise<void> {
  const replaced = blob.assigned?.id;
  const dropped = catalog.staging.drop(containerId, name);
  if ("source" in content) {
    const copied = {
      kind: "blob-copied",
      row,
      source: content.source,
      replaces: replaced,
    } as const;
    await catalog.change(blob, row, { kind: "all", changes: [copied, ...dropped] });
    return;
  }
  const change = {
    kind: "blob",
    row,
    blocks: content.blocks,
    ...(replaced !== undefined && { replaces: replaced }),
  } as const;
  const all = { kind: "all", changes: [change, ...dropped] } as const;
  await catalog.change(blob, row, dropped.length === 0 ? change : all);
}

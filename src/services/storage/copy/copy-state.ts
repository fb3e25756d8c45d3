import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { Problem } from "#platform/problem.ts";
import type { AnswerHeaders } from "../call.ts";
import type { Context } from "../context.ts";
import { httpDate } from "../protocol/answer-headers.ts";
import { SINCE } from "../protocol/versions.ts";
import type { Change } from "../state/changes.ts";
import type { BlobRow } from "../store.ts";

const CopyState = Type.Object({
  id: Type.String(),
  /** Without credentials. */
  source: Type.String(),
  status: Type.Enum(["aborted", "failed", "pending", "success"]),
  /** Bytes copied, of how many. */
  progress: Type.String(),
  completedAt: Type.Union([Type.String(), Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  /** Of an incremental copy: the snapshot of the target that it has made. */
  snapshot: Type.Optional(Type.String()),
});
/** What a blob remembers of the copy that it came from. */
export type CopyState = Static<typeof CopyState>;

type Running = Pick<Context, "copies">;

/** The copy of a blob. One that was under way when the service ended has failed. */
export function copyOf(
  { copies }: Running,
  { copy }: Pick<BlobRow, "copy">,
): CopyState | undefined {
  if (copy === null) return undefined;
  const state = readCopy(copy);
  if (state.status !== "pending" || copies.isRunning(state.id)) return state;
  return { ...state, status: "failed", description: "The service ended before the copy did." };
}

/** The change of a copy that has ended before its end: what it has taken is dropped. */
export function withoutContent(row: BlobRow): Change {
  const all = { begin: 0, end: Number.MAX_SAFE_INTEGER };
  return {
    kind: "all",
    changes: [
      { kind: "blob", row, blocks: [] },
      { kind: "pages-written", blobId: row.id, ...all, runs: [] },
    ],
  };
}

/** Refuses to write to what a copy is writing to, or what only incremental copies write to. */
export function refusePendingCopy(context: Running, blob: BlobRow | undefined): void {
  const state = blob === undefined ? undefined : copyOf(context, blob);
  if (blob !== undefined) refuseIncremental(blob);
  if (state?.status !== "pending") return;
  const said = `The copy ${state.id} to the blob is pending; wait for its end or abort it.`;
  throw new Problem(409, "PendingCopyOperation", said);
}

/**
 * Refuses what has to do with the content of a blob that incremental copies make: it is read from
 * its snapshots.
 */
export function refuseIncremental(blob: Pick<BlobRow, "copy" | "name" | "snapshot">): void {
  if (blob.snapshot !== "" || !isIncremental(blob)) return;
  const said = `The blob "${blob.name}" is an incremental copy: read its snapshots, or delete it.`;
  throw new Problem(409, "OperationNotAllowedOnIncrementalCopyBlob", said);
}

export function isIncremental({ copy }: Pick<BlobRow, "copy">): boolean {
  return copy !== null && readCopy(copy).snapshot !== undefined;
}

export function readCopy(copy: string): CopyState {
  return Value.Parse(CopyState, JSON.parse(copy));
}

export function copyHeaders(context: Running, blob: BlobRow, version: string): AnswerHeaders {
  const state = version < SINCE.leaseHeaders ? undefined : copyOf(context, blob);
  if (state === undefined) return {};
  const { id, source, status, progress, completedAt, description, snapshot } = state;
  return {
    "x-svc-copy-id": id,
    "x-svc-copy-source": source,
    "x-svc-copy-status": status,
    "x-svc-copy-progress": progress,
    "x-svc-copy-completion-time": completedAt === null ? undefined : httpDate(completedAt),
    "x-svc-copy-status-description": description ?? undefined,
    "x-svc-incremental-copy": snapshot === undefined ? undefined : "true",
    "x-svc-copy-destination-snapshot": snapshot,
  };
}

/** A URL as others may see it: its query may hold a signature. */
export function shownSource(url: URL): string {
  const shown = new URL(url);
  shown.search = "";
  for (const name of ["snapshot", "versionid"]) {
    const value = url.searchParams.get(name);
    if (value !== null) shown.searchParams.set(name, value);
  }
  return shown.href;
}

import { Problem } from "#platform/problem.ts";
import { requireMayReplace, type NewBlob } from "../blobs/replace-blob.ts";
import { tierAndTags } from "../blobs/tier-and-tags.ts";
import type { Call } from "../call.ts";
import type { Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import type { Encryption } from "../encryption/content-key.ts";
import { checkWriteConditions, parseConditions, type Conditions } from "../protocol/conditions.ts";
import { headerValue } from "../protocol/header-values.ts";
import { parseMetadata } from "../protocol/metadata.ts";
import { parseCopySource, type CopySource } from "../sources/copy-source.ts";
import type { Origin } from "../sources/taken.ts";
import type { BlobRow } from "../store.ts";
import type { CopyState } from "./copy-state.ts";
import { shownSource } from "./copy-state.ts";

/** A request to copy a whole blob. */
export interface CopyRequest {
  readonly id: string;
  readonly isSync: boolean;
  readonly source: CopySource;
  readonly conditions: Conditions;
  /** Undefined where the source's is taken. */
  readonly metadata: string | undefined;
}

export function parseCopyRequest({ environment }: Context, call: Call): CopyRequest {
  const { headers } = call;
  const isSync = headerValue(headers, "x-svc-requires-sync")?.toLowerCase() === "true";
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  const metadata = parseMetadata(call.request.raw.rawHeaders);
  return {
    id: environment.newId(),
    isSync,
    source: { ...parseCopySource(call), range: undefined, asCaller: !isSync },
    conditions,
    metadata: Object.keys(metadata).length === 0 ? undefined : JSON.stringify(metadata),
  };
}

/** Refuses what the target does not allow; returns the lease that goes on. */
export function requireTarget(
  context: Context,
  call: Call,
  place: Place,
  { conditions }: CopyRequest,
): string | null {
  try {
    return requireMayReplace(context, call, place, conditions);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "ConditionNotMet") throw error;
    throw new Problem(412, "TargetConditionNotMet", error.message);
  }
}

/** A copy does not change what kind of blob has a name. */
export function requireSameType({ blob }: Place, type: string): void {
  const existing = blob.assigned;
  if (existing === undefined || existing.type === type) return;
  const said = `The blob "${existing.name}" is a ${existing.type}, and the source a ${type}.`;
  throw new Problem(409, "InvalidBlobType", said);
}

type Copied = Pick<BlobRow, "blockCount" | "length" | "sequenceNumber" | "type">;

/** The blob that a copy makes. */
export function copiedBlob(
  context: Context,
  call: Call,
  { type, length, blockCount, sequenceNumber }: Copied,
  { metadata, properties, ...source }: Omit<Origin, "kind"> & Pick<CopySource, "copiesTags">,
): Omit<NewBlob, "copy" | keyof Encryption> {
  const seals = headerValue(call.headers, "x-svc-seal-blob")?.toLowerCase() === "true";
  const { contentType, contentEncoding, contentLanguage } = properties;
  const { contentDisposition, cacheControl, contentMd5 } = properties;
  return {
    ...tierAndTags(context, call, type, source),
    contentType,
    contentEncoding,
    contentLanguage,
    contentDisposition,
    cacheControl,
    contentMd5,
    type,
    length,
    blockCount,
    sequenceNumber,
    metadata,
    sealed: seals && type === "AppendBlob" ? 1 : 0,
  };
}

/** What the blob remembers of a copy that is complete. */
export function succeeded(
  { environment }: Context,
  { id, source }: CopyRequest,
  length: number,
): CopyState {
  return {
    id,
    source: shownSource(source.url),
    status: "success",
    progress: `${length}/${length}`,
    completedAt: environment.now().toISOString(),
    description: null,
  };
}

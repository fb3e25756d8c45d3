import type { BlockRun } from "#engines/blocks/block-store.ts";
import { Problem } from "#platform/problem.ts";
import type { AnswerHeaders, Call } from "../call.ts";
import { blobNotFound, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import { encryptedHeader, requireSameEncryption } from "../encryption/content-key.ts";
import type { Encryption } from "../encryption/content-key.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
  type Conditions,
} from "../protocol/conditions.ts";
import { countHeader } from "../protocol/header-values.ts";
import { appendBlockMax, SINCE } from "../protocol/versions.ts";
import type { BlobRow, BlockRow } from "../store.ts";

/** Blocks of an append blob. */
export const BLOCK_COUNT_MAX = 50_000;

/** A run of bytes with the checksum of what lies in the extent. */
export interface Piece extends BlockRun {
  readonly crc64: Uint8Array;
  /** Null where it is not encrypted. */
  readonly nonce: Uint8Array | null;
}

/** What is to be appended as one block; its bytes are in the block store already. */
export interface NewBlock {
  readonly pieces: readonly Piece[];
  readonly length: number;
}

/** What a request demands of the blob that it appends to. */
export interface AppendConditions extends Conditions {
  /** Where the block has to begin. */
  readonly appendPosition: number | undefined;
  /** Bytes that the blob may have afterwards. */
  readonly sizeMax: number | undefined;
}

export function parseAppendConditions({ headers }: Call): AppendConditions {
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  return {
    ...conditions,
    appendPosition: countHeader(headers, "x-svc-blob-condition-appendpos"),
    sizeMax: countHeader(headers, "x-svc-blob-condition-maxsize"),
  };
}

/** What can be refused before the bytes are taken; `decideAppend` looks again. */
export function requireAppendBlob({ blob }: Place, call: Call): BlobRow {
  const existing = blob.assigned;
  if (existing === undefined) throw blobNotFound(call);
  requireTypeAndCount(existing);
  return existing;
}

interface Append {
  readonly block: NewBlock;
  readonly conditions: AppendConditions;
  /** How the bytes of the block were encrypted. */
  readonly encryption: Encryption;
}

/**
 * Gives a block its place at the end of the blob, in one step without waiting, and resolves to
 * the answer's headers once the block is on disk. Two writers never get the same offset or
 * count, and a refused one has changed nothing.
 */
export async function decideAppend(
  { catalog, environment }: Context,
  call: Call,
  place: Place,
  { block, conditions, encryption }: Append,
): Promise<AnswerHeaders> {
  place.requireContainer();
  const existing = place.blob.assigned;
  if (existing === undefined) throw blobNotFound(call);
  requireWriteConditions(conditions, existing);
  const leased = { kind: "Blob", lease: existing.lease } as const;
  const lease = requireWriteLease(call.headers, leased, environment.now());
  requireUnsealed(existing);
  requireTypeAndCount(existing);
  requireSize(existing, block.length, conditions, call.version);
  requireSameEncryption(existing, encryption);

  const row: BlobRow = {
    ...existing,
    ...catalog.stamp(),
    lease,
    length: existing.length + block.length,
    blockCount: existing.blockCount + 1,
  };
  const blocks = rowsOf(existing.id, existing.length, block.pieces);
  await catalog.change(place.blob, row, { kind: "blob", row, blocks });
  return {
    ...stampHeaders(row, call.version),
    ...encryptedHeader(row, call.version),
    "x-svc-blob-append-offset": existing.length,
    "x-svc-blob-committed-block-count": row.blockCount,
  };
}

/** The records of pieces that follow each other from a place in the blob on. */
export function rowsOf(blobId: number, from: number, pieces: readonly Piece[]): BlockRow[] {
  let start = from;
  return pieces.map((piece) => {
    const row = {
      blobId,
      start,
      extent: piece.extent,
      extentOffset: piece.offset,
      length: piece.length,
      crc64: piece.crc64,
      nonce: piece.nonce,
      blockId: null,
      pageCrcs: null,
    };
    start += piece.length;
    return row;
  });
}

export function requireAppendType({ name, type }: BlobRow): void {
  if (type === "AppendBlob") return;
  const said = `The blob "${name}" is a ${type}; this operation is for an AppendBlob only.`;
  throw new Problem(409, "InvalidBlobType", said);
}

function requireUnsealed({ name, sealed }: BlobRow): void {
  if (sealed === 0) return;
  const said = `The blob "${name}" is sealed and takes no more blocks.`;
  throw new Problem(409, "BlobIsSealed", said);
}

function requireTypeAndCount(existing: BlobRow): void {
  const { name, blockCount } = existing;
  requireAppendType(existing);
  if (blockCount >= BLOCK_COUNT_MAX) {
    const said = `The blob "${name}" has ${blockCount} blocks; ${BLOCK_COUNT_MAX} is the limit.`;
    throw new Problem(409, "BlockCountExceedsLimit", said);
  }
}

export function requireAppendPosition({ length }: BlobRow, position: number | undefined): void {
  if (position === undefined || position === length) return;
  const said = `x-svc-blob-condition-appendpos is ${position}, and the blob has ${length} bytes.`;
  throw new Problem(412, "AppendPositionConditionNotMet", said);
}

function requireSize(
  existing: BlobRow,
  added: number,
  { appendPosition, sizeMax }: AppendConditions,
  version: string,
): void {
  const { length } = existing;
  requireAppendPosition(existing, appendPosition);
  if (sizeMax !== undefined && length + added > sizeMax) {
    throw new Problem(
      412,
      "MaxBlobSizeConditionNotMet",
      `x-svc-blob-condition-maxsize is ${sizeMax}; the blob has ${length} bytes and would have ` +
        `${length + added}.`,
    );
  }
  const lengthMax = appendBlockMax(version) * BLOCK_COUNT_MAX;
  if (length + added > lengthMax) {
    throw new Problem(
      413,
      "RequestBodyTooLarge",
      `The blob would have ${length + added} bytes; at this version ${lengthMax} is the limit.`,
      { fields: { MaxLimit: String(appendBlockMax(version)) } },
    );
  }
}

/** Whether an MD5 has to be returned to a request that carried none. */
export function owesMd5(version: string): boolean {
  return version < SINCE.crc64;
}

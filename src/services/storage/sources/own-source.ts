import { createHash } from "node:crypto";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { combineCrc64, createCrc64 } from "#engines/blocks/crc64.ts";
import { Problem } from "#platform/problem.ts";
import { identify, type Identity } from "../access/identity.ts";
import { NEEDS } from "../access/needs.ts";
import { authorize } from "../access/rights.ts";
import { parseTarget, type Target } from "../access/target.ts";
import type { Piece } from "../append-blobs/append.ts";
import type { Call } from "../call.ts";
import { blobNotFound, usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { sourceKey } from "../encryption/content-key.ts";
import type { Content } from "../encryption/content.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { readVerdict } from "../protocol/conditions.ts";
import { tooLarge } from "../protocol/header-values.ts";
import { spanOf } from "../protocol/ranges.ts";
import { visibleRow } from "../snapshots/find-snapshot.ts";
import {
  BlobGoneError,
  cut,
  openSpan,
  recordsFrom,
  type BlockRecord,
  type ReadBlob,
  type Span,
} from "../state/block-records.ts";
import { openPages } from "../state/page-records.ts";
import type { BlobRow } from "../store.ts";
import { requireOnline } from "../tiers/tiers.ts";
import { cannotVerify, emptySource, sourceConditionNotMet } from "./cannot-verify.ts";
import type { CopySource } from "./copy-source.ts";
import { crc64OfPieces, storePieces, type Taken, type TakeOptions } from "./taken.ts";

/**
 * Takes from a blob of this store. Nothing goes over HTTP and no bytes are copied: the new block
 * refers to the bytes where they lie, unless one of the two is encrypted. The source's length is
 * fixed when it is looked up, so a blob can be appended to itself.
 */
export async function takeOwnSource(
  context: Context,
  call: Call,
  source: CopySource,
  options: TakeOptions,
): Promise<Taken> {
  const blob = await verified(() => openSource(context, call, source));
  const conditions = readVerdict(source.conditions, blob, call.version);
  if (conditions !== "met") throw sourceConditionNotMet(call.version);
  await verified(async () => requireOnline(blob));
  if (blob.length === 0 && options.mayBeEmpty !== true) throw emptySource();
  const span = await verified(async () => spanOf(source.range, blob.length));
  const length = span.end - span.begin;
  if (length > options.bytesMax) throw tooLarge("The copy source", length, options.bytesMax);
  const { account } = parseTarget(source.url.pathname);
  const { key } = await verified(async () => sourceKey(context, call, account, blob));
  const taken = await verified(() => takeSpan(context, { ...blob, key }, span, options));
  const { metadata, tags } = blob;
  return { ...taken, origin: { properties: blob, kind: blob, metadata, tags } };
}

/**
 * The source is asked for by its own credentials: a signature in its URL, a token sent for it, or
 * none. What authorizes the append says nothing here.
 */
export async function openSource(
  context: Context,
  call: Call,
  source: CopySource,
): Promise<BlobRow> {
  const target = parseTarget(source.url.pathname + source.url.search);
  const { authorization } = source;
  const identity =
    (source.asCaller ? callerIdentity(call, target) : undefined) ??
    (await identify(context, {
      target,
      authorization,
      isSecure: source.url.protocol === "https:",
      address: call.request.ip,
      sent: undefined,
    }));
  await authorize(context, identity, NEEDS.readBlob, target);
  const usesTags = source.copiesTags || source.conditions.ifTags !== undefined;
  if (usesTags) await authorize(context, identity, NEEDS.readTags, target);
  const blob = await usePlace(context, target, (place) => visibleRow(context, place, target));
  // There are no versions yet, so none has the name that is asked for.
  if (blob === undefined || target.query.has("versionid")) throw blobNotFound(target);
  const leased = { kind: "Blob", lease: blob.lease } as const;
  requireReadLease({ "x-svc-lease-id": source.leaseId }, leased, context.environment.now());
  return blob;
}

/** Who sent the request, where the source carries no credentials and they count for it. */
function callerIdentity({ request: { caller } }: Call, target: Target): Identity | undefined {
  if (caller === undefined || target.query.has("sig")) return undefined;
  if (caller.scheme === "bearer") return { kind: "bearer", caller };
  const isOwner = caller.scheme === "shared-key" && caller.objectId === target.account;
  return isOwner ? { kind: "key", caller } : undefined;
}

async function takeSpan(
  { store, blocks }: Context,
  blob: ReadBlob,
  span: Span,
  options: TakeOptions,
): Promise<Content> {
  if (span.end === span.begin) return storePieces(blocks, noBytes(), options);
  const open = blob.type === "PageBlob" ? openPages : openSpan;
  const writeAnew = async () =>
    storePieces(blocks, await open(store.db, blocks, blob, span), options);
  // Of pages that were never written there are no records to refer to.
  const isShared = blob.type !== "PageBlob" && blob.key === undefined && options.key === undefined;
  if (!isShared) return writeAnew();
  const records = await recordsFrom(store.db, blob.id, span);
  const last = records.at(-1);
  // Crumbs in such numbers are better written once more than referred to one by one.
  if (last !== undefined && last.start + last.length < span.end) return writeAnew();
  const pieces = joined(await Promise.all(records.map((record) => pieceOf(blocks, record, span))));
  return {
    pieces,
    length: span.end - span.begin,
    crc64: crc64OfPieces(pieces),
    md5: options.md5 ? await md5Of(blocks, pieces) : undefined,
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** A whole record's checksum is known; of one that the span cuts the part is read. */
async function pieceOf(blocks: BlockStore, record: BlockRecord, span: Span): Promise<Piece> {
  const run = cut(record, span);
  if (run.length === record.length) return { ...run, crc64: record.crc64 };
  const crc = createCrc64();
  for await (const chunk of blocks.read([run])) crc.update(chunk);
  return { ...run, crc64: crc.digest() };
}

/** Neighbours in one extent become one piece, so that a copy has fewer records than its source. */
function joined(pieces: readonly Piece[]): Piece[] {
  const joint: Piece[] = [];
  for (const piece of pieces) {
    const last = joint.at(-1);
    if (last !== undefined && isBehind(last, piece)) {
      joint[joint.length - 1] = {
        ...last,
        length: last.length + piece.length,
        crc64: combineCrc64(last.crc64, piece.crc64, piece.length),
      };
    } else {
      joint.push(piece);
    }
  }
  return joint;
}

function isBehind(last: Piece, next: Piece): boolean {
  return last.extent === next.extent && last.offset + last.length === next.offset;
}

async function md5Of(blocks: BlockStore, pieces: readonly Piece[]): Promise<Uint8Array> {
  const hash = createHash("md5");
  for await (const chunk of blocks.read(pieces)) hash.update(chunk);
  return hash.digest();
}

/** What refuses the source is the source's refusal, not one of the append. */
export async function verified<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const problem =
      error instanceof BlobGoneError ? new Problem(409, "BlobOverwritten", error.message) : error;
    if (!(problem instanceof Problem) || problem.statusCode >= 500) throw error;
    const { statusCode: status, code, message, detail } = problem;
    const why = detail.fields?.["AuthenticationErrorDetail"] ?? message;
    throw cannotVerify(status, `The copy source, a blob of this store, refused: ${why}`, {
      status,
      code,
      message: why,
    });
  }
}

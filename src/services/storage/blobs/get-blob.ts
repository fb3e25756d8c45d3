import { createHash } from "node:crypto";
import { crc64 } from "#engines/blocks/crc64.ts";
import { Problem } from "#platform/problem.ts";
import type { Answer, AnswerHeaders, Call } from "../call.ts";
import { blobNotFound, usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { copyHeaders, refuseIncremental } from "../copy/copy-state.ts";
import { encryptionProperties, readingKey } from "../encryption/content-key.ts";
import { leaseHeaders } from "../leases/lease.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { sequenceHeader } from "../page-blobs/page-blob.ts";
import { whileUnchanged } from "../page-blobs/while-unchanged.ts";
import { httpDate, stampHeaders } from "../protocol/answer-headers.ts";
import { base64 } from "../protocol/checksums.ts";
import { parseConditions, requireReadConditions } from "../protocol/conditions.ts";
import { headerValue } from "../protocol/header-values.ts";
import { metadataHeaders } from "../protocol/metadata.ts";
import { parseRange, requireRange, spanOf, type AskedRange } from "../protocol/ranges.ts";
import { SINCE } from "../protocol/versions.ts";
import { visibleRow } from "../snapshots/find-snapshot.ts";
import { BlobGoneError, openSpan, type ReadBlob, type Span } from "../state/block-records.ts";
import { openPages } from "../state/page-records.ts";
import type { BlobRow } from "../store.ts";
import { tagCount } from "../tags/tags.ts";
import { requireOnline, tierHeaders } from "../tiers/tiers.ts";
import { collectBytes } from "./body.ts";
import { contentHeaders } from "./content-properties.ts";

/** Content up to here is answered in one piece. */
const COLLECTED_MAX = 256 * 1024;
/** A range whose checksum is asked for is at most so long. */
const CHECKED_RANGE_MAX = 4 * 2 ** 20;
/** A reader that loses against writers this often is told so. */
const ATTEMPTS_MAX = 5;

/** `GET /{account}/{container}/{blob}`, the whole of it or a range. */
export async function getBlob(context: Context, call: Call): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await whileUnchanged(context, call, () => readOnce(context, call));
    } catch (error) {
      if (!(error instanceof BlobGoneError)) throw error;
      // Another blob has the name by now, or none: the answer is about that one.
      if (attempt === ATTEMPTS_MAX) throw new Problem(409, "BlobOverwritten", error.message);
    }
  }
}

/** `HEAD /{account}/{container}/{blob}` */
export async function getBlobProperties(context: Context, call: Call): Promise<Answer> {
  const blob = await requireBlob(context, call);
  readingKey(context, call, blob);
  return {
    status: 200,
    headers: {
      ...blobHeaders(context, blob, call),
      "content-length": blob.length,
      "content-md5": blob.contentMd5 ?? undefined,
    },
  };
}

async function readOnce(context: Context, call: Call) {
  const blob = await requireBlob(context, call);
  const { key } = readingKey(context, call, blob);
  requireOnline(blob);
  refuseIncremental(blob);
  const range = rangeOf(call);
  const span = spanOf(range, blob.length);
  const body = await bodyOf(context, { ...blob, key }, span);
  const checksums = await rangeChecksums(call, range, span, body);
  const isPart = range !== undefined;
  const headers = {
    ...blobHeaders(context, blob, call),
    "content-length": span.end - span.begin,
    ...(isPart ? partHeaders(blob, span, call.version) : { "content-md5": md5Of(blob) }),
    ...checksums.headers,
  };
  return { blob, answer: { status: isPart ? 206 : 200, headers, body: checksums.body } };
}

/** The blob as it is visible, if the conditions of the request hold for it. */
export async function requireBlob(context: Context, call: Call): Promise<BlobRow> {
  const blob = await usePlace(context, call, (place) => visibleRow(context, place, call));
  if (blob === undefined) throw blobNotFound(call);
  if (blob.type === "AppendBlob" && call.version < SINCE.appendBlob) {
    const said = `Append blobs exist from version ${SINCE.appendBlob} on, not in ${call.version}.`;
    throw new Problem(409, "FeatureVersionMismatch", said);
  }
  const leased = { kind: "Blob", lease: blob.lease } as const;
  requireReadLease(call.headers, leased, context.environment.now());
  requireReadConditions(parseConditions(call.headers), blob, call.version);
  return blob;
}

/** The protocol's header goes first; a Range that is no byte range is passed over, as in HTTP. */
function rangeOf({ headers }: Call): AskedRange | undefined {
  const own = headerValue(headers, "x-svc-range");
  if (own !== undefined) return requireRange("x-svc-range", own);
  return parseRange(headerValue(headers, "range") ?? "");
}

type Body = AsyncIterable<Uint8Array> | Uint8Array;

async function bodyOf({ store, blocks }: Context, blob: ReadBlob, span: Span): Promise<Body> {
  if (span.end === span.begin) return new Uint8Array(0);
  const open = blob.type === "PageBlob" ? openPages : openSpan;
  const bytes = await open(store.db, blocks, blob, span);
  return span.end - span.begin > COLLECTED_MAX ? bytes : collectBytes(bytes);
}

/** The checksum of a range, where one was asked for. */
async function rangeChecksums(
  { headers }: Call,
  range: AskedRange | undefined,
  { begin, end }: Span,
  body: Body,
): Promise<{ readonly body: Body; readonly headers: AnswerHeaders }> {
  const wants = (name: string) => headerValue(headers, name)?.toLowerCase() === "true";
  const md5 = wants("x-svc-range-get-content-md5");
  if (!md5 && !wants("x-svc-range-get-content-crc64")) return { body, headers: {} };
  if (range === undefined || end - begin > CHECKED_RANGE_MAX) {
    throw new Problem(
      400,
      "OutOfRangeInput",
      `A checksum of a range is given for ranges of at most ${CHECKED_RANGE_MAX} bytes; the ` +
        `request asks for ${range === undefined ? "the whole blob" : `${end - begin} bytes`}.`,
    );
  }
  const bytes = body instanceof Uint8Array ? body : await collectBytes(body);
  const sums = md5
    ? { "content-md5": createHash("md5").update(bytes).digest("base64") }
    : { "x-svc-content-crc64": base64(crc64(bytes)) };
  return { body: bytes, headers: sums };
}

function partHeaders(blob: BlobRow, { begin, end }: Span, version: string): AnswerHeaders {
  return {
    "content-range": `bytes ${begin}-${end - 1}/${blob.length}`,
    "x-svc-blob-content-md5": version >= SINCE.rangedBlobMd5 ? md5Of(blob) : undefined,
  };
}

function md5Of({ contentMd5 }: BlobRow): string | undefined {
  return contentMd5 ?? undefined;
}

function blobHeaders(context: Context, blob: BlobRow, call: Call): AnswerHeaders {
  const { version } = call;
  return {
    ...contentHeaders(blob, call),
    ...stampHeaders(blob, version),
    ...metadataHeaders(blob.metadata),
    ...copyHeaders(context, blob, version),
    ...leaseHeaders(blob.lease, version, context.environment.now()),
    "accept-ranges": version >= SINCE.quotedEtag ? "bytes" : undefined,
    "x-svc-blob-type": blob.type,
    "x-svc-blob-committed-block-count": blob.type === "AppendBlob" ? blob.blockCount : undefined,
    ...sequenceHeader(blob),
    ...tierHeaders(blob, version),
    "x-svc-tag-count": blob.tags === null ? undefined : tagCount(blob.tags),
    "x-svc-blob-sealed": blob.sealed === 1 ? "true" : undefined,
    "x-svc-creation-time": version >= SINCE.creationTime ? httpDate(blob.createdAt) : undefined,
    ...encryptionProperties(blob, version),
  };
}

import { Problem } from "#platform/problem.ts";
import { rowsOf } from "../append-blobs/append.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import {
  encryptedHeader,
  encryptionOf,
  newContentKey,
  type Encryption,
} from "../encryption/content-key.ts";
import type { Content } from "../encryption/content.ts";
import { base64OrNone, stampHeaders } from "../protocol/answer-headers.ts";
import {
  base64,
  parseMd5,
  requireChecksums,
  sentChecksums,
  type SentChecksums,
} from "../protocol/checksums.ts";
import { checkWriteConditions, parseConditions, type Conditions } from "../protocol/conditions.ts";
import { newPageBlobLength, requirePageVersion } from "../page-blobs/page-blob.ts";
import { newSequenceNumber } from "../page-blobs/sequence-number.ts";
import {
  contentLength,
  invalidHeader,
  requiredHeader,
  tooLarge,
} from "../protocol/header-values.ts";
import { parseMetadata } from "../protocol/metadata.ts";
import { putBlobMax, SINCE } from "../protocol/versions.ts";
import type { BlobRow } from "../store.ts";
import { storeBody } from "./body.ts";
import { contentProperties, type ContentProperties } from "./content-properties.ts";
import { newBlobRow, replaceBlob, requireMayReplace } from "./replace-blob.ts";
import { tierAndTags } from "./tier-and-tags.ts";

interface PutRequest {
  readonly type: "AppendBlob" | "BlockBlob" | "PageBlob";
  /** Of the body. */
  readonly length: number;
  readonly size: Pick<BlobRow, "length" | "sequenceNumber">;
  readonly sent: SentChecksums;
  readonly conditions: Conditions;
  readonly properties: ContentProperties;
  readonly metadata: string;
  readonly tierAndTags: ReturnType<typeof tierAndTags>;
}

/** `PUT /{account}/{container}/{blob}`: a whole block blob, or another one without content. */
export async function putBlob(context: Context, call: Call): Promise<Answer> {
  const put = parsePut(context, call);
  return usePlace(context, call, async (place) => {
    requireMayReplace(context, call, place, put.conditions);
    const { type, length, sent } = put;
    const contentKey = newContentKey(context, call, place.container);
    const options = { length, md5: type === "BlockBlob", key: contentKey.key };
    const written = await storeBody(context.blocks, call.request.body, options);
    requireChecksums(sent, written);
    requireStoredMd5(put, written);
    const row = await decidePut(context, call, place, { put, written, encryption: contentKey });
    return { status: 201, headers: answerHeaders(row, put, written, call.version) };
  });
}

function parsePut(context: Context, call: Call): PutRequest {
  const { headers, version } = call;
  const type = blobType(requiredHeader(headers, "x-svc-blob-type"), version);
  const length = contentLength(headers);
  if (type !== "BlockBlob" && length > 0) {
    throw invalidHeader("Content-Length", String(length), `and a ${type} is created empty`);
  }
  if (length > putBlobMax(version)) throw tooLarge("The body", length, putBlobMax(version));
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  return {
    type,
    length,
    size: sizeOf(call, type, length),
    sent: sentChecksums(headers, "content-md5", "x-svc-content-crc64"),
    conditions,
    properties: contentProperties(call),
    metadata: JSON.stringify(parseMetadata(call.request.raw.rawHeaders)),
    tierAndTags: tierAndTags(context, call, type),
  };
}

function blobType(value: string, version: string): PutRequest["type"] {
  if (value !== "BlockBlob" && value !== "AppendBlob" && value !== "PageBlob") {
    const why = "which is none of BlockBlob, AppendBlob, PageBlob";
    throw invalidHeader("x-svc-blob-type", value, why);
  }
  if (value === "PageBlob") requirePageVersion(version);
  if (value === "AppendBlob" && version < SINCE.appendBlob) {
    const said = `Append blobs exist from version ${SINCE.appendBlob} on, not in ${version}.`;
    throw new Problem(409, "FeatureVersionMismatch", said);
  }
  return value;
}

/** A page blob has its length from the beginning, and zeros in it. */
function sizeOf({ headers }: Call, type: PutRequest["type"], length: number): PutRequest["size"] {
  if (type !== "PageBlob") return { length, sequenceNumber: null };
  return { length: newPageBlobLength(headers), sequenceNumber: newSequenceNumber(headers) };
}

/** The hash that is kept with a blob is checked against the content as well. */
function requireStoredMd5({ type, properties }: PutRequest, { md5, crc64 }: Content): void {
  if (type !== "BlockBlob" || properties.contentMd5 === null) return;
  const stored = parseMd5("x-svc-blob-content-md5", properties.contentMd5);
  requireChecksums({ md5: stored, crc64: undefined }, { md5, crc64 });
}

interface StoredPut {
  readonly put: PutRequest;
  readonly written: Content;
  readonly encryption: Encryption;
}

/** What depends on the state is decided here at once; nothing is awaited before the change. */
async function decidePut(
  context: Context,
  call: Call,
  place: Place,
  { put, written, encryption }: StoredPut,
): Promise<BlobRow> {
  place.requireContainer();
  const lease = requireMayReplace(context, call, place, put.conditions);
  const decided = { stamp: context.catalog.stamp(), lease };
  const row = newBlobRow(context, place, decided, {
    ...put.properties,
    ...put.tierAndTags,
    ...encryptionOf(encryption),
    contentMd5: put.properties.contentMd5 ?? base64OrNone(written.md5) ?? null,
    type: put.type,
    ...put.size,
    metadata: put.metadata,
  });
  await replaceBlob(context, place, row, { blocks: rowsOf(row.id, 0, written.pieces) });
  return row;
}

function answerHeaders(row: BlobRow, put: PutRequest, written: Content, version: string) {
  const isBlock = put.type === "BlockBlob";
  return {
    ...stampHeaders(row, version),
    ...encryptedHeader(row, version),
    "content-md5": isBlock ? base64OrNone(written.md5) : undefined,
    "x-svc-content-crc64": isBlock && version >= SINCE.crc64 ? base64(written.crc64) : undefined,
  };
}

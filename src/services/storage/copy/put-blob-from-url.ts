import { rowsOf } from "../append-blobs/append.ts";
import { ownContentProperties, type ContentProperties } from "../blobs/content-properties.ts";
import { newBlobRow, replaceBlob, requireMayReplace } from "../blobs/replace-blob.ts";
import { tierAndTags } from "../blobs/tier-and-tags.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import {
  encryptedHeader,
  encryptionOf,
  newContentKey,
  type Encryption,
} from "../encryption/content-key.ts";
import { base64OrNone, stampHeaders } from "../protocol/answer-headers.ts";
import { base64 } from "../protocol/checksums.ts";
import { checkWriteConditions, parseConditions, type Conditions } from "../protocol/conditions.ts";
import { contentLength, headerValue, invalidHeader } from "../protocol/header-values.ts";
import { parseMetadata } from "../protocol/metadata.ts";
import { putBlobMax, SINCE, requireSince } from "../protocol/versions.ts";
import { parseCopySource } from "../sources/copy-source.ts";
import { requireHashes, returnsCrc64, sentHashes } from "../sources/source-hashes.ts";
import { takeSource } from "../sources/take-source.ts";
import type { Origin, Taken } from "../sources/taken.ts";
import type { BlobRow } from "../store.ts";

/** `PUT /{account}/{container}/{blob}` with `x-svc-copy-source` and `x-svc-blob-type`. */
export async function putBlobFromUrl(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.putBlobFromUrl, "Put Blob From URL");
  requireForm(call);
  const source = parseCopySource(call);
  const sent = sentHashes(call);
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);

  return usePlace(context, call, async (place) => {
    requireMayReplace(context, call, place, conditions);
    const md5 = sent.md5 !== undefined;
    const contentKey = newContentKey(context, call, place.container);
    const { key } = contentKey;
    const options = { bytesMax: putBlobMax(version), md5, mayBeEmpty: true, key };
    const taken = await takeSource(context, call, source, options);
    requireHashes(sent, taken);
    const { copiesTags } = source;
    const put = { taken, conditions, encryption: contentKey, copiesTags };
    const row = await decidePut(context, call, place, put);
    return {
      status: 201,
      headers: {
        ...stampHeaders(row, version),
        ...encryptedHeader(row, version),
        "content-md5": base64OrNone(taken.md5),
        "x-svc-content-crc64": returnsCrc64(call) ? base64(taken.crc64) : undefined,
      },
    };
  });
}

function requireForm({ headers }: Call): void {
  const type = headerValue(headers, "x-svc-blob-type") ?? "";
  if (type !== "BlockBlob") {
    throw invalidHeader("x-svc-blob-type", type, "and only a BlockBlob is put from a URL");
  }
  const length = contentLength(headers);
  if (length !== 0) {
    throw invalidHeader("Content-Length", String(length), "and a blob from a URL has no body");
  }
  const range = headerValue(headers, "x-svc-source-range");
  if (range === undefined) return;
  throw invalidHeader("x-svc-source-range", range, "and a blob is put from the whole of a source");
}

interface TakenPut {
  readonly taken: Taken;
  readonly conditions: Conditions;
  readonly encryption: Encryption;
  readonly copiesTags: boolean;
}

async function decidePut(
  context: Context,
  call: Call,
  place: Place,
  { taken, conditions, encryption, copiesTags }: TakenPut,
): Promise<BlobRow> {
  place.requireContainer();
  const lease = requireMayReplace(context, call, place, conditions);
  const properties = propertiesOf(call, taken.origin);
  const row = newBlobRow(
    context,
    place,
    { stamp: context.catalog.stamp(), lease },
    {
      ...properties,
      ...tierAndTags(context, call, "BlockBlob", { copiesTags, tags: taken.origin.tags }),
      ...encryptionOf(encryption),
      contentMd5: properties.contentMd5 ?? base64OrNone(taken.md5) ?? null,
      type: "BlockBlob",
      length: taken.length,
      metadata: JSON.stringify(parseMetadata(call.request.raw.rawHeaders)),
    },
  );
  await replaceBlob(context, place, row, { blocks: rowsOf(row.id, 0, taken.pieces) });
  return row;
}

/** What the request says goes first; the rest is the source's, unless the request declines. */
function propertiesOf(call: Call, { properties }: Origin): ContentProperties {
  const { headers } = call;
  const own = ownContentProperties(call);
  const copies = headerValue(headers, "x-svc-copy-source-blob-properties")?.toLowerCase();
  if (copies === "false") return own;
  const hasType = headerValue(headers, "x-svc-blob-content-type") !== undefined;
  return {
    contentType: hasType ? own.contentType : properties.contentType,
    contentEncoding: own.contentEncoding ?? properties.contentEncoding,
    contentLanguage: own.contentLanguage ?? properties.contentLanguage,
    contentDisposition: own.contentDisposition ?? properties.contentDisposition,
    cacheControl: own.cacheControl ?? properties.cacheControl,
    contentMd5: own.contentMd5 ?? properties.contentMd5,
  };
}

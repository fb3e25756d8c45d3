import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { encryptedHeader, readingKey, writingKey } from "../encryption/content-key.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { metadataHeaders, parseMetadata } from "../protocol/metadata.ts";
import { requireOnline } from "../tiers/tiers.ts";
import { changeBlob } from "./change-blob.ts";
import { requireBlob } from "./get-blob.ts";

/** `GET` or `HEAD /{account}/{container}/{blob}?comp=metadata` */
export async function getBlobMetadata(context: Context, call: Call): Promise<Answer> {
  const blob = await requireBlob(context, call);
  readingKey(context, call, blob);
  const headers = { ...stampHeaders(blob, call.version), ...metadataHeaders(blob.metadata) };
  return { status: 200, headers };
}

/** `PUT /{account}/{container}/{blob}?comp=metadata`: all metadata, in place of what was there. */
export async function setBlobMetadata(context: Context, call: Call): Promise<Answer> {
  const { version, request } = call;
  const metadata = JSON.stringify(parseMetadata(request.raw.rawHeaders));
  const row = await changeBlob(context, call, (existing) => {
    requireOnline(existing);
    writingKey(context, call, existing);
    return { ...context.catalog.stamp(), metadata };
  });
  const headers = { ...stampHeaders(row, version), ...encryptedHeader(row, version) };
  return { status: 200, headers };
}

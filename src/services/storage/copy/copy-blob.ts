import type { IncomingHttpHeaders } from "node:http";
import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { encryptedHeader } from "../encryption/content-key.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { notImplemented } from "../protocol/features.ts";
import { contentLength, headerValue, invalidHeader } from "../protocol/header-values.ts";
import { SINCE, requireSince } from "../protocol/versions.ts";
import { isOwnSource } from "../sources/take-source.ts";
import { copyForeignLater, copyForeignNow } from "./copy-foreign.ts";
import { copyOwn } from "./copy-own.ts";
import { parseCopyRequest } from "./copy-request.ts";
import { copyOf } from "./copy-state.ts";
import { putBlobFromUrl } from "./put-blob-from-url.ts";

/** `PUT /{account}/{container}/{blob}` with `x-svc-copy-source`: which of three it is. */
export async function copyOrPutFromUrl(context: Context, call: Call): Promise<Answer> {
  const isPut = headerValue(call.headers, "x-svc-blob-type") !== undefined;
  return isPut ? putBlobFromUrl(context, call) : copyBlob(context, call);
}

/**
 * Copy Blob, and with `x-svc-requires-sync` Copy Blob From URL. A source in this store is copied
 * at once in both; another one is read in the background by the first.
 */
async function copyBlob(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  const length = contentLength(headers);
  if (length !== 0) {
    throw invalidHeader("Content-Length", String(length), "and a copy has no body");
  }
  refuseKeys(headers);
  const request = parseCopyRequest(context, call);
  if (request.isSync) requireSince(version, SINCE.blockFromUrl, "Copy Blob From URL");
  const copyForeign = request.isSync ? copyForeignNow : copyForeignLater;
  const copy = isOwnSource(context, request.source) ? copyOwn : copyForeign;
  const row = await copy(context, call, request);
  return {
    status: 202,
    headers: {
      ...stampHeaders(row, version),
      ...(request.isSync && encryptedHeader(row, version)),
      "x-svc-copy-id": request.id,
      "x-svc-copy-status": copyOf(context, row)?.status,
    },
  };
}

/** Of the operations that this path leads to only Put Blob From URL takes keys. */
function refuseKeys(headers: IncomingHttpHeaders): void {
  for (const name of ["x-svc-encryption-key", "x-svc-source-encryption-key"]) {
    if (headers[name] !== undefined) throw notImplemented(`the header ${name} of Copy Blob`);
  }
}

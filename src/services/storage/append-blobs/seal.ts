import type { Answer, Call } from "../call.ts";
import { changeBlob } from "../blobs/change-blob.ts";
import type { Context } from "../context.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { countHeader } from "../protocol/header-values.ts";
import { SINCE, requireSince } from "../protocol/versions.ts";
import { requireAppendPosition, requireAppendType } from "./append.ts";

/**
 * `PUT /{account}/{container}/{blob}?comp=seal`: the blob takes no more blocks. Sealing what is
 * sealed changes nothing and succeeds, so that a request may be sent again.
 */
export async function sealAppendBlob(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.seal, "Append Blob Seal");
  const appendPosition = countHeader(headers, "x-svc-blob-condition-appendpos");
  const row = await changeBlob(context, call, (existing) => {
    requireAppendType(existing);
    requireAppendPosition(existing, appendPosition);
    return existing.sealed === 1 ? {} : { ...context.catalog.stamp(), sealed: 1 };
  });
  return { status: 200, headers: { ...stampHeaders(row, version), "x-svc-blob-sealed": "true" } };
}

import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { writingKey } from "../encryption/content-key.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import { base64 } from "../protocol/checksums.ts";
import { contentLength, invalidHeader } from "../protocol/header-values.ts";
import { appendBlockMax, SINCE, requireSince } from "../protocol/versions.ts";
import { parseCopySource } from "../sources/copy-source.ts";
import { requireHashes, returnsCrc64, sentHashes } from "../sources/source-hashes.ts";
import { takeSource } from "../sources/take-source.ts";
import { decideAppend, owesMd5, parseAppendConditions, requireAppendBlob } from "./append.ts";

/**
 * `PUT /{account}/{container}/{blob}?comp=appendblock` with `x-svc-copy-source`: the server
 * reads the block from a URL.
 */
export async function appendBlockFromUrl(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.appendFromUrl, "Append Block From URL");
  const length = contentLength(headers);
  if (length !== 0) {
    throw invalidHeader("Content-Length", String(length), "and a block from a URL has no body");
  }
  const source = parseCopySource(call);
  const sent = sentHashes(call);
  const conditions = parseAppendConditions(call);

  return usePlace(context, call, async (place) => {
    const contentKey = writingKey(context, call, requireAppendBlob(place, call));
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const bytesMax = appendBlockMax(version);
    const options = { bytesMax, md5, key: contentKey.key };
    const block = await takeSource(context, call, source, options);
    requireHashes(sent, block);
    const append = { block, conditions, encryption: contentKey };
    const appended = await decideAppend(context, call, place, append);
    return {
      status: 201,
      headers: {
        ...appended,
        "content-md5": base64OrNone(block.md5),
        "x-svc-content-crc64": returnsCrc64(call) ? base64(block.crc64) : undefined,
      },
    };
  });
}

import { owesMd5 } from "../append-blobs/append.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { encryptedHeader, encryptionOf, newContentKey } from "../encryption/content-key.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import { base64 } from "../protocol/checksums.ts";
import { contentLength, invalidHeader } from "../protocol/header-values.ts";
import { putBlockMax, SINCE, requireSince } from "../protocol/versions.ts";
import { parseCopySource } from "../sources/copy-source.ts";
import { requireHashes, returnsCrc64, sentHashes } from "../sources/source-hashes.ts";
import { takeSource } from "../sources/take-source.ts";
import { blockIdOf, requireBlockPlace, stageBlock } from "./stage.ts";

/** `PUT /{account}/{container}/{blob}?comp=block&blockid={id}` with `x-svc-copy-source`. */
export async function putBlockFromUrl(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.blockFromUrl, "Put Block From URL");
  const blockId = blockIdOf(call);
  const length = contentLength(headers);
  if (length !== 0) {
    throw invalidHeader("Content-Length", String(length), "and a block from a URL has no body");
  }
  const source = parseCopySource(call);
  const sent = sentHashes(call);

  return usePlace(context, call, async (place) => {
    requireBlockPlace(context, call, place);
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const bytesMax = putBlockMax(version);
    const contentKey = newContentKey(context, call, place.container);
    const options = { bytesMax, md5, key: contentKey.key };
    const block = await takeSource(context, call, source, options);
    requireHashes(sent, block);
    await stageBlock(context, call, place, { ...block, blockId, ...encryptionOf(contentKey) });
    return {
      status: 201,
      headers: {
        ...encryptedHeader(contentKey, version),
        "content-md5": base64OrNone(block.md5),
        "x-svc-content-crc64": returnsCrc64(call) ? base64(block.crc64) : undefined,
      },
    };
  });
}

import type { Answer, Call } from "../call.ts";
import { owesMd5 } from "../append-blobs/append.ts";
import { storeBody } from "../blobs/body.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { encryptedHeader, encryptionOf, newContentKey } from "../encryption/content-key.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import { base64, requireChecksums, sentChecksums } from "../protocol/checksums.ts";
import { contentLength, invalidHeader, tooLarge } from "../protocol/header-values.ts";
import { putBlockMax } from "../protocol/versions.ts";
import { blockIdOf, requireBlockPlace, stageBlock } from "./stage.ts";

/** `PUT /{account}/{container}/{blob}?comp=block&blockid={id}` with the block as its body. */
export async function putBlock(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  const blockId = blockIdOf(call);
  const length = contentLength(headers);
  const lengthMax = putBlockMax(version);
  if (length > lengthMax) throw tooLarge("The block", length, lengthMax);
  if (length === 0) throw invalidHeader("Content-Length", "0", "and a block cannot be empty");
  const sent = sentChecksums(headers, "content-md5", "x-svc-content-crc64");

  return usePlace(context, call, async (place) => {
    requireBlockPlace(context, call, place);
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const contentKey = newContentKey(context, call, place.container);
    const options = { length, md5, key: contentKey.key };
    const written = await storeBody(context.blocks, call.request.body, options);
    requireChecksums(sent, written);
    await stageBlock(context, call, place, { ...written, blockId, ...encryptionOf(contentKey) });
    return {
      status: 201,
      headers: {
        ...encryptedHeader(contentKey, version),
        "content-md5": base64OrNone(written.md5),
        "x-svc-content-crc64": written.md5 === undefined ? base64(written.crc64) : undefined,
      },
    };
  });
}

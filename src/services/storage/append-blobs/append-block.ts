import type { Answer, Call } from "../call.ts";
import { storeBody } from "../blobs/body.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { writingKey } from "../encryption/content-key.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import { base64, requireChecksums, sentChecksums } from "../protocol/checksums.ts";
import { contentLength, invalidHeader, tooLarge } from "../protocol/header-values.ts";
import { appendBlockMax, SINCE, requireSince } from "../protocol/versions.ts";
import { decideAppend, owesMd5, parseAppendConditions, requireAppendBlob } from "./append.ts";

/** `PUT /{account}/{container}/{blob}?comp=appendblock` with the block as its body. */
export async function appendBlock(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.appendBlob, "Append Block");
  const length = contentLength(headers);
  const lengthMax = appendBlockMax(version);
  if (length > lengthMax) throw tooLarge("The block", length, lengthMax);
  if (length === 0) throw invalidHeader("Content-Length", "0", "and a block cannot be empty");
  const sent = sentChecksums(headers, "content-md5", "x-svc-content-crc64");
  const conditions = parseAppendConditions(call);

  return usePlace(context, call, async (place) => {
    const contentKey = writingKey(context, call, requireAppendBlob(place, call));
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const { key } = contentKey;
    const block = await storeBody(context.blocks, call.request.body, { length, md5, key });
    requireChecksums(sent, block);
    const append = { block, conditions, encryption: contentKey };
    const appended = await decideAppend(context, call, place, append);
    return {
      status: 201,
      headers: {
        ...appended,
        "content-md5": base64OrNone(block.md5),
        "x-svc-content-crc64": block.md5 === undefined ? base64(block.crc64) : undefined,
      },
    };
  });
}

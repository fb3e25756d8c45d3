import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import {
  base64,
  parseMd5,
  requireChecksums,
  sentChecksums,
  type Checksums,
  type SentChecksums,
} from "../protocol/checksums.ts";
import { contentLength, headerValue, invalidHeader } from "../protocol/header-values.ts";
import { appendBlockMax, SINCE } from "../protocol/versions.ts";
import { parseCopySource } from "../sources/copy-source.ts";
import { takeSource } from "../sources/take-source.ts";
import {
  decideAppend,
  owesMd5,
  parseAppendConditions,
  requireAppendBlob,
  requireSince,
} from "./append.ts";

/** MD5 of nothing, which is what the request itself has for a body. */
const EMPTY_MD5 = "1B2M2Y8AsgTpgAmY7PhCfg==";

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
    requireAppendBlob(place, call);
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const bytesMax = appendBlockMax(version);
    const block = await takeSource(context, call, source, { bytesMax, md5 });
    requireHashes(sent, block);
    const appended = await decideAppend(context, call, place, { block, conditions });
    return {
      status: 201,
      headers: {
        ...appended,
        "content-md5": base64OrNone(block.md5),
        "x-svc-content-crc64": returnsCrc64(sent, version) ? base64(block.crc64) : undefined,
      },
    };
  });
}

/** Hashes cover the selected range. Content-MD5 may be that, or the one of the empty body. */
function sentHashes({ headers }: Call): SentChecksums {
  const sent = sentChecksums(headers, "x-svc-source-content-md5", "x-svc-source-content-crc64");
  const ofContent = headerValue(headers, "content-md5");
  if (ofContent === undefined || ofContent === EMPTY_MD5) return sent;
  const md5 = parseMd5("Content-MD5", ofContent);
  if (sent.crc64 !== undefined) {
    const said = "Content-MD5 and x-svc-source-content-crc64 were both sent; send one of them.";
    throw new Problem(400, "BothCrc64AndMd5HeaderPresent", said);
  }
  if (sent.md5 !== undefined && md5?.equals(sent.md5) === false) {
    const said = "Content-MD5 and x-svc-source-content-md5 differ from each other.";
    throw new Problem(400, "Md5Mismatch", said);
  }
  return { md5, crc64: undefined };
}

function returnsCrc64(sent: SentChecksums, version: string): boolean {
  return version >= SINCE.crc64 && sent.md5 === undefined;
}

/** Refuses as for a body, but says nothing of the content of a source. */
function requireHashes(sent: SentChecksums, found: Checksums): void {
  try {
    requireChecksums(sent, found);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "Md5Mismatch") throw error;
    throw new Problem(error.statusCode, error.code, "The MD5 sent is not that of the source.");
  }
}

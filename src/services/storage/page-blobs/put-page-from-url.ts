import { owesMd5 } from "../append-blobs/append.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { writingKey } from "../encryption/content-key.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import { base64 } from "../protocol/checksums.ts";
import {
  contentLength,
  invalidHeader,
  requiredHeader,
  tooLarge,
} from "../protocol/header-values.ts";
import { SINCE, requireSince } from "../protocol/versions.ts";
import { parseCopySource } from "../sources/copy-source.ts";
import { requireHashes, returnsCrc64, sentHashes } from "../sources/source-hashes.ts";
import { takeSource } from "../sources/take-source.ts";
import { writtenPages } from "./page-range.ts";
import { runsOfPieces } from "./page-runs.ts";
import { decidePages, parsePageConditions, requirePageBlob, WRITE_MAX } from "./write-pages.ts";

const SOURCE_RANGE = "x-svc-source-range";

/** `PUT /{account}/{container}/{blob}?comp=page` with `x-svc-copy-source`. */
export async function putPageFromUrl(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requireSince(version, SINCE.appendFromUrl, "Put Page From URL");
  requireForm(call);
  const span = writtenPages(headers);
  const length = span.end - span.begin;
  if (length > WRITE_MAX) throw tooLarge("The range", length, WRITE_MAX);
  const range = requiredHeader(headers, SOURCE_RANGE);
  const source = parseCopySource(call);
  const sent = sentHashes(call);
  const conditions = parsePageConditions(call);

  return usePlace(context, call, async (place) => {
    const encryption = writingKey(context, call, requirePageBlob(place, call, span));
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const options = { bytesMax: WRITE_MAX, md5, key: encryption.key };
    const taken = await takeSource(context, call, source, options);
    requireHashes(sent, taken);
    if (taken.length !== length) {
      const why = `which selects ${taken.length} bytes for ${length} bytes of pages`;
      throw invalidHeader(SOURCE_RANGE, range, why);
    }
    const runs = await runsOfPieces(context.blocks, taken.pieces, span.begin, encryption.key);
    const stamped = await decidePages(context, call, place, { span, runs, conditions, encryption });
    return {
      status: 201,
      headers: {
        ...stamped,
        "content-md5": base64OrNone(taken.md5),
        "x-svc-content-crc64": returnsCrc64(call) ? base64(taken.crc64) : undefined,
      },
    };
  });
}

function requireForm({ headers }: Call): void {
  const write = requiredHeader(headers, "x-svc-page-write").toLowerCase();
  if (write !== "update") {
    throw invalidHeader("x-svc-page-write", write, "and pages from a URL are an update");
  }
  const length = contentLength(headers);
  if (length === 0) return;
  throw invalidHeader("Content-Length", String(length), "and pages from a URL have no body");
}

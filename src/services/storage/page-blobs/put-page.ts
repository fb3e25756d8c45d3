import { owesMd5 } from "../append-blobs/append.ts";
import { storeBody } from "../blobs/body.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { writingKey } from "../encryption/content-key.ts";
import { base64OrNone } from "../protocol/answer-headers.ts";
import { base64, requireChecksums, sentChecksums } from "../protocol/checksums.ts";
import {
  contentLength,
  invalidHeader,
  requiredHeader,
  tooLarge,
} from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";
import { requirePageVersion } from "./page-blob.ts";
import { writtenPages } from "./page-range.ts";
import { runsOfPieces } from "./page-runs.ts";
import { decidePages, parsePageConditions, requirePageBlob, WRITE_MAX } from "./write-pages.ts";

/** `PUT /{account}/{container}/{blob}?comp=page` with `x-svc-page-write: update` or `clear`. */
export async function putPage(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  requirePageVersion(version);
  const write = requiredHeader(headers, "x-svc-page-write").toLowerCase();
  if (write === "clear") return clearPages(context, call);
  if (write === "update") return updatePages(context, call);
  throw invalidHeader("x-svc-page-write", write, "which is neither update nor clear");
}

async function updatePages(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  const length = contentLength(headers);
  if (length > WRITE_MAX) throw tooLarge("The body", length, WRITE_MAX);
  const span = writtenPages(headers);
  if (length !== span.end - span.begin) {
    const why = `and the range has ${span.end - span.begin} bytes`;
    throw invalidHeader("Content-Length", String(length), why);
  }
  const sent = sentChecksums(headers, "content-md5", "x-svc-content-crc64");
  const conditions = parsePageConditions(call);

  return usePlace(context, call, async (place) => {
    const encryption = writingKey(context, call, requirePageBlob(place, call, span));
    const md5 = sent.md5 !== undefined || owesMd5(version);
    const { key } = encryption;
    const written = await storeBody(context.blocks, call.request.body, { length, md5, key });
    requireChecksums(sent, written);
    const runs = await runsOfPieces(context.blocks, written.pieces, span.begin, key);
    const stamped = await decidePages(context, call, place, { span, runs, conditions, encryption });
    return {
      status: 201,
      headers: {
        ...stamped,
        "content-md5": base64OrNone(written.md5),
        "x-svc-content-crc64":
          version >= SINCE.crc64 && written.md5 === undefined ? base64(written.crc64) : undefined,
      },
    };
  });
}

/** Any number of pages; they read as zeros and are in no list of pages. */
async function clearPages(context: Context, call: Call): Promise<Answer> {
  const { headers } = call;
  const length = contentLength(headers);
  if (length !== 0) {
    throw invalidHeader("Content-Length", String(length), "and to clear pages takes no body");
  }
  const span = writtenPages(headers);
  const conditions = parsePageConditions(call);
  return usePlace(context, call, async (place) => {
    const encryption = writingKey(context, call, requirePageBlob(place, call, span));
    const pages = { span, runs: [], conditions, encryption };
    const cleared = await decidePages(context, call, place, pages);
    return { status: 201, headers: cleared };
  });
}

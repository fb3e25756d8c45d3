import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import {
  parseMd5,
  requireChecksums,
  sentChecksums,
  type Checksums,
  type SentChecksums,
} from "../protocol/checksums.ts";
import { headerValue } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";

/** MD5 of nothing, which is what the request itself has for a body. */
const EMPTY_MD5 = "1B2M2Y8AsgTpgAmY7PhCfg==";

/** Hashes cover the selected range. Content-MD5 may be that, or the one of the empty body. */
export function sentHashes({ headers }: Call): SentChecksums {
  const sent = sentChecksums(headers, "x-svc-source-content-md5", "x-svc-source-content-crc64");
  if (headers["x-svc-content-crc64"] !== undefined) {
    const said = "The request has no body; the source's CRC64 is x-svc-source-content-crc64.";
    throw new Problem(400, "UnsupportedHeader", said, {
      fields: { HeaderName: "x-svc-content-crc64" },
    });
  }
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

/** The source's CRC64 is left out where its own MD5 was sent; Content-MD5 is the request's. */
export function returnsCrc64({ headers, version }: Call): boolean {
  return version >= SINCE.crc64 && headers["x-svc-source-content-md5"] === undefined;
}

/** Refuses as for a body, but says nothing of the content of a source. */
export function requireHashes(sent: SentChecksums, found: Checksums): void {
  try {
    requireChecksums(sent, found);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "Md5Mismatch") throw error;
    throw new Problem(error.statusCode, error.code, "The MD5 sent is not that of the source.");
  }
}

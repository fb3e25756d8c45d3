import type { Stamp } from "../state/stamps.ts";
import { base64 } from "./checksums.ts";
import { SINCE } from "./versions.ts";

/** ETag and Last-Modified; the tag is quoted from 2011-08-18 on. */
export function stampHeaders(
  { etag, lastModified }: Stamp,
  version: string,
): Readonly<Record<string, string>> {
  return {
    etag: version >= SINCE.quotedEtag ? `"${etag}"` : etag,
    "last-modified": httpDate(lastModified),
  };
}

/** A checksum header, left out where there is none. */
export function base64OrNone(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : base64(bytes);
}

/** RFC 1123. */
export function httpDate(time: string): string {
  return new Date(time).toUTCString();
}

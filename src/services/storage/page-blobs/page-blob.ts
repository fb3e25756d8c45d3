import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import type { AnswerHeaders } from "../call.ts";
import { countHeader, invalidHeader, requiredHeader } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";
import { PAGE_BYTES } from "../state/page-map.ts";
import type { BlobRow } from "../store.ts";

/** Bytes of a page blob. */
const LENGTH_MAX = 8 * 2 ** 40;
const LENGTH_HEADER = "x-svc-blob-content-length";

/** Refuses versions that do not know page blobs. */
export function requirePageVersion(version: string): void {
  if (version >= SINCE.pageBlob) return;
  const said = `Page blobs exist from version ${SINCE.pageBlob} on, not in ${version}.`;
  throw new Problem(400, "InvalidVersionForPageBlobOperation", said);
}

export function requirePageType({ name, type }: Pick<BlobRow, "name" | "type">): void {
  if (type === "PageBlob") return;
  const said = `The blob "${name}" is a ${type}; this operation is for a PageBlob only.`;
  throw new Problem(409, "InvalidBlobType", said);
}

/** The length that a request gives a new page blob. */
export function newPageBlobLength(headers: IncomingHttpHeaders): number {
  requiredHeader(headers, LENGTH_HEADER);
  return pageBlobLength(headers) ?? 0;
}

/** The length that a request asks for; undefined where it asks for none. */
export function pageBlobLength(headers: IncomingHttpHeaders): number | undefined {
  const length = countHeader(headers, LENGTH_HEADER);
  if (length === undefined) return undefined;
  if (length % PAGE_BYTES !== 0) {
    const why = `which is no multiple of the ${PAGE_BYTES} bytes of a page`;
    throw invalidHeader(LENGTH_HEADER, String(length), why);
  }
  if (length <= LENGTH_MAX) return length;
  throw invalidHeader(LENGTH_HEADER, String(length), `and at most ${LENGTH_MAX} are allowed`);
}

export function sequenceHeader({ sequenceNumber }: Pick<BlobRow, "sequenceNumber">): AnswerHeaders {
  return { "x-svc-blob-sequence-number": sequenceNumber ?? undefined };
}

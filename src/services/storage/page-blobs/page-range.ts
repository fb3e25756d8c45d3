import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { headerValue, requiredHeader } from "../protocol/header-values.ts";
import { requireRange, type AskedRange } from "../protocol/ranges.ts";
import type { Span } from "../state/block-records.ts";
import { PAGE_BYTES } from "../state/page-map.ts";
import type { BlobRow } from "../store.ts";

/** The range of a request, under the protocol's name or that of HTTP. */
export function askedPages(headers: IncomingHttpHeaders): AskedRange | undefined {
  const own = headerValue(headers, "x-svc-range");
  if (own !== undefined) return requireRange("x-svc-range", own);
  const range = headerValue(headers, "range");
  return range === undefined ? undefined : requireRange("Range", range);
}

/** The pages that a request writes. 416 unless they begin and end at the border of a page. */
export function writtenPages(headers: IncomingHttpHeaders): Span {
  const range = askedPages(headers);
  if (range === undefined) {
    requiredHeader(headers, "x-svc-range");
    throw invalidPages("The range of the pages is not known.");
  }
  const { first, last } = range;
  if (last !== undefined && first % PAGE_BYTES === 0 && (last + 1) % PAGE_BYTES === 0) {
    return { begin: first, end: last + 1 };
  }
  const said = `bytes=${first}-${last ?? ""} does not begin and end at the border of a page`;
  throw invalidPages(`${said}, which has ${PAGE_BYTES} bytes.`);
}

/** Refuses, with 416, pages behind the end of the blob. */
export function requireWithin({ length }: Pick<BlobRow, "length">, { end }: Span): void {
  if (end <= length) return;
  throw invalidPages(`The range ends at byte ${end - 1}; the blob has ${length} bytes.`);
}

function invalidPages(message: string): Problem {
  return new Problem(416, "InvalidPageRange", message);
}

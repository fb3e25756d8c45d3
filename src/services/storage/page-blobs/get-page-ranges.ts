import { Problem } from "#platform/problem.ts";
import { requireBlob } from "../blobs/get-blob.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { refuseIncremental } from "../copy/copy-state.ts";
import { invalidParameter } from "../listing/page-query.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { spanOf } from "../protocol/ranges.ts";
import { SINCE } from "../protocol/versions.ts";
import { xmlBody, xmlElement, XML_TYPE } from "../protocol/xml-text.ts";
import type { Span } from "../state/block-records.ts";
import { PAGE_BYTES } from "../state/page-map.ts";
import type { BlobRow } from "../store.ts";
import { requirePageType, requirePageVersion } from "./page-blob.ts";
import { askedPages } from "./page-range.ts";
import { changedRanges, writtenRanges, type PageRange } from "./page-ranges.ts";
import { previousSnapshot } from "./previous-snapshot.ts";
import { whileUnchanged } from "./while-unchanged.ts";

/** Ranges in one answer. */
const RANGES_MAX = 10_000;

/**
 * `GET /{account}/{container}/{blob}?comp=pagelist`, with `prevsnapshot` the pages that differ
 * from a snapshot.
 */
export async function getPageRanges(context: Context, call: Call): Promise<Answer> {
  requirePageVersion(call.version);
  const page = parsePage(call);
  return whileUnchanged(context, call, async () => {
    const blob = await requireBlob(context, call);
    requirePageType(blob);
    refuseIncremental(blob);
    const previous = await usePlace(context, call, (place) =>
      previousSnapshot(context, call, place, blob),
    );
    const span = askedSpan(call, blob, page.begin);
    const { db } = context.store;
    const ranges =
      previous === undefined
        ? writtenRanges(db, blob.id, span)
        : changedRanges(db, { from: previous.id, to: blob.id }, span);
    const shown = await firstOf(ranges, page.countMax);
    const headers = {
      ...XML_TYPE,
      ...stampHeaders(blob, call.version),
      "x-svc-blob-content-length": blob.length,
    };
    return { blob, answer: { status: 200, headers, body: listBody(shown, page.isPaged) } };
  });
}

interface Page {
  readonly isPaged: boolean;
  readonly countMax: number;
  /** Where the page begins. */
  readonly begin: number;
}

/** Older versions have the whole list in one answer. */
function parsePage({ query, version }: Call): Page {
  const isPaged = version >= SINCE.pagedPageRanges;
  if (!isPaged) return { isPaged, countMax: Infinity, begin: 0 };
  const sent = query.get("maxresults") ?? "";
  if (sent !== "" && !/^\d{1,10}$/.test(sent)) {
    const said = `maxresults is "${sent}", which is no whole number.`;
    throw invalidParameter("maxresults", sent, said);
  }
  const count = sent === "" ? RANGES_MAX : Number(sent);
  if (count < 1) throw outOfRange(sent);
  return { isPaged, countMax: Math.min(count, RANGES_MAX), begin: markerOf(query.get("marker")) };
}

function outOfRange(sent: string): Problem {
  const said = `maxresults is ${sent}; it is 1 to ${RANGES_MAX}.`;
  return new Problem(400, "OutOfRangeQueryParameterValue", said, {
    fields: {
      QueryParameterName: "maxresults",
      QueryParameterValue: sent,
      MinimumAllowed: "1",
      MaximumAllowed: String(RANGES_MAX),
    },
  });
}

function markerOf(marker = ""): number {
  if (/^\d{0,15}$/.test(marker)) return Number(marker);
  const said = "marker is not the NextMarker of a list of page ranges.";
  throw invalidParameter("marker", marker, said);
}

/** All pages that hold a part of the range. */
function askedSpan({ headers }: Call, { length }: BlobRow, begin: number): Span {
  const range = askedPages(headers);
  const span = length === 0 ? { begin: 0, end: 0 } : spanOf(range, length);
  const first = Math.floor(span.begin / PAGE_BYTES) * PAGE_BYTES;
  const end = Math.ceil(span.end / PAGE_BYTES) * PAGE_BYTES;
  return { begin: Math.max(first, begin), end };
}

interface Shown {
  readonly ranges: readonly PageRange[];
  /** Where the next page begins; undefined when this was the last. */
  readonly next: number | undefined;
}

async function firstOf(ranges: AsyncIterable<PageRange>, countMax: number): Promise<Shown> {
  const shown: PageRange[] = [];
  for await (const range of ranges) {
    if (shown.length === countMax) return { ranges: shown, next: range.begin };
    shown.push(range);
  }
  return { ranges: shown, next: undefined };
}

function listBody({ ranges, next }: Shown, isPaged: boolean): Uint8Array {
  const lines = ranges.map(({ begin, end, isClear }) => {
    const name = isClear ? "ClearRange" : "PageRange";
    return `<${name}><Start>${begin}</Start><End>${end - 1}</End></${name}>`;
  });
  const marker = isPaged && next !== undefined ? xmlElement("NextMarker", next) : "";
  return xmlBody(`<PageList>${lines.join("")}${marker}</PageList>`);
}

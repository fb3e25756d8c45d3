import { Problem } from "#platform/problem.ts";
import { escapeXml, xmlElement } from "../protocol/xml-text.ts";
import { SINCE } from "../protocol/versions.ts";
import type { Call } from "../call.ts";
import { parseMarker, type Position } from "./position.ts";

/** Entries of a page, prefixes among them. */
const RESULTS_MAX = 5000;

/** What a request says of the page that it wants. */
export interface PageQuery {
  readonly prefix: string;
  /** Empty for a flat listing. */
  readonly delimiter: string;
  readonly marker: string;
  /** Where the page goes on; undefined for the first one. */
  readonly position: Position | undefined;
  readonly countMax: number;
  /** As sent, for the answer. */
  readonly sentCount: string | undefined;
  readonly include: ReadonlySet<string>;
}

/** Reads the parameters of a listing. `known` are the values that `include` may have. */
export function parsePageQuery(
  query: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): PageQuery {
  const marker = query.get("marker") ?? "";
  const sent = query.get("maxresults");
  const sentCount = sent === "" ? undefined : sent;
  return {
    prefix: textOf(query, "prefix"),
    delimiter: textOf(query, "delimiter"),
    marker,
    position: parseMarker(marker),
    countMax: parseCountMax(sentCount),
    sentCount,
    include: includeOf(query.get("include") ?? "", known),
  };
}

/** No name has the character of code 0, and not every store can look for it. */
function textOf(query: ReadonlyMap<string, string>, name: string): string {
  const text = query.get(name) ?? "";
  if (!text.includes("\0")) return text;
  throw invalidParameter(name, text, `${name} has a character of code 0.`);
}

/** A larger number than a page takes is no error; the page is then a full one. */
export function parseCountMax(sent: string | undefined): number {
  if (sent === undefined) return RESULTS_MAX;
  if (!/^-?\d{1,10}$/.test(sent)) {
    throw invalidParameter(
      "maxresults",
      sent,
      `maxresults is "${sent}", which is no whole number.`,
    );
  }
  const count = Number(sent);
  if (count >= 1) return Math.min(count, RESULTS_MAX);
  const said = `maxresults is ${count}; it is 1 to ${RESULTS_MAX}.`;
  throw new Problem(400, "OutOfRangeQueryParameterValue", said, {
    fields: {
      QueryParameterName: "maxresults",
      QueryParameterValue: sent,
      MinimumAllowed: "1",
      MaximumAllowed: String(RESULTS_MAX),
    },
  });
}

function includeOf(sent: string, known: ReadonlySet<string>): ReadonlySet<string> {
  const sets = new Set(
    sent
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ""),
  );
  for (const name of sets) {
    if (known.has(name)) continue;
    const said = `include has "${name}", which is none of ${[...known].join(", ")}.`;
    throw invalidParameter("include", sent, said);
  }
  return sets;
}

/** 400, naming the parameter and the value seen. */
export function invalidParameter(name: string, value: string, said: string): Problem {
  return new Problem(400, "InvalidQueryParameterValue", said, {
    fields: { QueryParameterName: name, QueryParameterValue: value, Reason: said },
  });
}

/** The root element with what the request asked for, before and after the entries found. */
export function enumerationXml(call: Call, page: PageQuery, next: string) {
  const { account, container, version, request } = call;
  const endpoint = `${request.protocol}://${request.host}/${account}/`;
  const named = container === "" ? "" : ` ContainerName="${escapeXml(container)}"`;
  const root =
    version >= SINCE.freeReadConditions
      ? `ServiceEndpoint="${escapeXml(endpoint)}"${named}`
      : oldRoot(endpoint, container);
  const echoed = [
    xmlElement("Prefix", page.prefix || undefined),
    xmlElement("Marker", page.marker || undefined),
    xmlElement("MaxResults", page.sentCount === undefined ? undefined : page.countMax),
    xmlElement("Delimiter", page.delimiter || undefined),
  ];
  const marker = next === "" ? "<NextMarker />" : xmlElement("NextMarker", next);
  return {
    start: `<EnumerationResults ${root}>${echoed.join("")}`,
    end: `${marker}</EnumerationResults>`,
  };
}

/** Before 2013-08-15 one attribute held the whole address. */
function oldRoot(endpoint: string, container: string): string {
  if (container === "") return `AccountName="${escapeXml(endpoint)}"`;
  return `ContainerName="${escapeXml(endpoint + container)}"`;
}

import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { stampHeaders } from "./answer-headers.ts";
import { parseTagCondition, type TagCondition } from "../tags/tag-condition.ts";
import { headerValue, invalidHeader } from "./header-values.ts";
import { SINCE } from "./versions.ts";

/** What the conditional headers of a request ask for; dates in whole seconds. */
export interface Conditions {
  readonly ifMatch: readonly string[] | undefined;
  readonly ifNoneMatch: readonly string[] | undefined;
  readonly ifModifiedSince: number | undefined;
  readonly ifUnmodifiedSince: number | undefined;
  /** Holds beside the others, with which it combines freely. */
  readonly ifTags: TagCondition | undefined;
}

/** What is compared with; undefined when nothing is there. */
export interface Subject {
  readonly etag: string;
  readonly lastModified: string;
  /** As stored; containers have none. */
  readonly tags?: string | null;
}

/** `match` refuses with 412; `unmodified` is what a reader is told with 304. */
export type Verdict = "met" | "match" | "unmodified";

/** `prefix` is empty, or `x-svc-source-` for the conditions on a copy source. */
export function parseConditions(headers: IncomingHttpHeaders, prefix = ""): Conditions {
  return {
    ifMatch: tags(headerValue(headers, `${prefix}if-match`)),
    ifNoneMatch: tags(headerValue(headers, `${prefix}if-none-match`)),
    ifModifiedSince: date(headers, `${prefix}if-modified-since`),
    ifUnmodifiedSince: date(headers, `${prefix}if-unmodified-since`),
    ifTags: tagCondition(headers, prefix),
  };
}

/** The only conditions that a write may combine. */
const PAIRS: readonly (keyof Conditions)[][] = [
  ["ifNoneMatch", "ifModifiedSince"],
  ["ifMatch", "ifUnmodifiedSince"],
];

/** Refuses combinations that writes do not allow, whatever the state of the blob. */
export function checkWriteConditions(conditions: Conditions): void {
  const { ifTags: _, ...others } = conditions;
  const count = Object.values(others).filter((condition) => condition !== undefined).length;
  if (count === 0) return;
  const isPair = PAIRS.some((pair) => pair.every((name) => conditions[name] !== undefined));
  const { ifMatch = [], ifNoneMatch = [] } = conditions;
  if (count > (isPair ? 2 : 1)) {
    throw notSupported(
      "Only If-None-Match with If-Modified-Since, and If-Match with If-Unmodified-Since, may be " +
        "combined.",
    );
  }
  if (ifMatch.length > 1 || ifNoneMatch.length > 1) {
    throw notSupported("If-Match and If-None-Match take one entity tag on a write, not a list.");
  }
}

function notSupported(message: string): Problem {
  return new Problem(400, "MultipleConditionHeadersNotSupported", message);
}

/** Refuses a write, with 412, whose conditions do not hold for what is there. */
export function requireWriteConditions(conditions: Conditions, subject: Subject | undefined): void {
  if (meetsTags(conditions, subject) && writeVerdict(conditions, subject) === "met") return;
  const said = "A condition of the request (If-*) does not hold for the target as it is.";
  throw new Problem(412, "ConditionNotMet", said);
}

/** What is not there has no tags, and meets no condition on them. */
function meetsTags({ ifTags }: Conditions, subject: Subject | undefined): boolean {
  return ifTags === undefined || (subject !== undefined && ifTags(subject.tags ?? null));
}

/** Where two conditions may be combined, the entity tag decides. */
function writeVerdict(conditions: Conditions, subject: Subject | undefined): Verdict {
  const { ifMatch, ifNoneMatch } = conditions;
  if (subject === undefined) return ifMatch === undefined ? "met" : "match";
  if (ifMatch !== undefined) return matches(ifMatch, subject) ? "met" : "match";
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, subject) ? "unmodified" : "met";
  return dateVerdict(conditions, subject);
}

function dateVerdict(conditions: Conditions, subject: Subject): Verdict {
  const { ifModifiedSince = -Infinity, ifUnmodifiedSince = Infinity } = conditions;
  const seconds = secondsOf(subject.lastModified);
  if (seconds > ifUnmodifiedSince) return "match";
  return seconds > ifModifiedSince ? "met" : "unmodified";
}

/** How a read ends. From 2013-08-15 on conditions combine freely and tags may be lists. */
export function readVerdict(conditions: Conditions, subject: Subject, version: string): Verdict {
  if (conditions.ifNoneMatch?.includes("*") === true) {
    throw new Problem(
      400,
      "UnsatisfiableCondition",
      "If-None-Match is *, which no read of something that exists can meet.",
    );
  }
  if (!meetsTags(conditions, subject)) return "match";
  if (version < SINCE.freeReadConditions) {
    checkWriteConditions(conditions);
    return writeVerdict(conditions, subject);
  }
  return freeVerdict(conditions, subject);
}

function freeVerdict(conditions: Conditions, subject: Subject): Verdict {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  const seconds = secondsOf(subject.lastModified);
  if (ifMatch !== undefined && !matches(ifMatch, subject)) return "match";
  if (ifUnmodifiedSince !== undefined && seconds > ifUnmodifiedSince) return "match";
  const news = [
    ...(ifNoneMatch === undefined ? [] : [!matches(ifNoneMatch, subject)]),
    ...(ifModifiedSince === undefined ? [] : [seconds > ifModifiedSince]),
  ];
  return news.length === 0 || news.includes(true) ? "met" : "unmodified";
}

/** Refuses a read with 412 or 304. */
export function requireReadConditions(
  conditions: Conditions,
  subject: Subject,
  version: string,
): void {
  const verdict = readVerdict(conditions, subject, version);
  if (verdict === "met") return;
  const said = "A condition of the request (If-*) does not hold for the target as it is.";
  if (verdict === "match") throw new Problem(412, "ConditionNotMet", said);
  throw new Problem(304, "ConditionNotMet", said, { headers: stampHeaders(subject, version) });
}

function matches(wanted: readonly string[], { etag }: Subject): boolean {
  return wanted.some((tag) => tag === "*" || tag === etag);
}

/** Tags are equal with or without quotes. */
function tags(value: string | undefined): readonly string[] | undefined {
  if (value === undefined || value === "") return undefined;
  return value.split(",").map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"));
}

function date(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = headerValue(headers, name);
  if (value === undefined || value === "") return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw invalidHeader(name, value, "which is no date");
  return Math.floor(time / 1000);
}

function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

/** The protocol's own condition has its prefix where the others have that of HTTP. */
function tagCondition(headers: IncomingHttpHeaders, prefix: string): TagCondition | undefined {
  const name = prefix === "" ? "x-svc-if-tags" : `${prefix}if-tags`;
  return parseTagCondition(name, headerValue(headers, name));
}

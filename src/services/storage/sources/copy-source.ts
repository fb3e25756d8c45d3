import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import { leaseIdHeader } from "../leases/lease-id.ts";
import { parseConditions, type Conditions } from "../protocol/conditions.ts";
import { headerValue, invalidHeader, requiredHeader } from "../protocol/header-values.ts";
import { requireRange, type AskedRange } from "../protocol/ranges.ts";
import { parseTimeout } from "../protocol/timeout.ts";
import { cannotVerify } from "./cannot-verify.ts";

const NAME = "x-svc-copy-source";
const TAG_OPTION = "x-svc-copy-source-tag-option";
/** Characters of the URL. */
const URL_MAX = 2048;

/** Where a block is to be read from. */
export interface CopySource {
  readonly url: URL;
  readonly range: AskedRange | undefined;
  readonly conditions: Conditions;
  /** The source conditions as sent, under the names that another server knows. */
  readonly conditionHeaders: Readonly<Record<string, string>>;
  /** `Bearer <token>`, for the source alone. */
  readonly authorization: string | undefined;
  /** Without credentials of its own a source in this store is read as whoever asks for the copy. */
  readonly asCaller?: boolean;
  /** What files of another server are read for; it means nothing to a blob. */
  readonly intent: string | undefined;
  /** Of the lease that the source has to have. */
  readonly leaseId: string | undefined;
  /** Whether the target gets the tags of the source. */
  readonly copiesTags: boolean;
  /** The most time that reading it may take, where the request says so. */
  readonly timeoutMs: number | undefined;
}

export function parseCopySource(call: Call): CopySource {
  const { headers } = call;
  const range = headerValue(headers, "x-svc-source-range");
  return {
    url: parseUrl(requiredHeader(headers, NAME)),
    range: range === undefined ? undefined : requireRange("x-svc-source-range", range),
    conditions: parseConditions(headers, "x-svc-source-"),
    conditionHeaders: conditionHeaders(call),
    authorization: parseAuthorization(headerValue(headers, "x-svc-copy-source-authorization")),
    intent: parseRequestIntent(headerValue(headers, "x-svc-file-request-intent")),
    leaseId: leaseIdHeader(headers, "x-svc-source-lease-id"),
    copiesTags: parseTagOption(headers),
    timeoutMs: parseTimeout(call.query),
  };
}

/** A refusal shows no more of a URL than its host: its query may hold a signature. */
function parseUrl(text: string): URL {
  if (text.length > URL_MAX) {
    throw refusedUrl(`has ${text.length} characters; at most ${URL_MAX} are allowed`);
  }
  const url = URL.parse(text);
  if (url === null) throw refusedUrl("is not an absolute URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refusedUrl(`has the scheme ${url.protocol}//; only http and https are read`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refusedUrl("holds a user name or password, which no URL of a source may");
  }
  return url;
}

function refusedUrl(why: string): Problem {
  return new Problem(400, "InvalidHeaderValue", `${NAME} ${why}.`, {
    fields: { HeaderName: NAME },
  });
}

function parseAuthorization(value: string | undefined): string | undefined {
  if (value === undefined || /^Bearer +[\w\-.~+/]+=*$/i.test(value)) return value;
  throw cannotVerify(
    400,
    "x-svc-copy-source-authorization, which is for the source, is not Bearer <token>.",
  );
}

function parseRequestIntent(value: string | undefined): string | undefined {
  if (value === undefined || value === "backup") return value;
  throw invalidHeader("x-svc-file-request-intent", value, "and the only value is backup");
}

function parseTagOption(headers: IncomingHttpHeaders): boolean {
  const option = headerValue(headers, TAG_OPTION)?.toUpperCase();
  if (option === undefined || option === "REPLACE") return false;
  if (option !== "COPY")
    throw invalidHeader(TAG_OPTION, option, "which is neither COPY nor REPLACE");
  if (headers["x-svc-tags"] === undefined) return true;
  const said = `${TAG_OPTION} is COPY, and x-svc-tags was sent as well; a request has one of them.`;
  throw new Problem(400, "BothUserTagsAndSourceTagsCopyPresentException", said);
}

function conditionHeaders({ headers }: Call): Record<string, string> {
  const names = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];
  const sent = [
    ...names.map((name) => [name, headerValue(headers, `x-svc-source-${name}`)] as const),
    ["x-ms-if-tags", headerValue(headers, "x-svc-source-if-tags")] as const,
  ];
  return Object.fromEntries(
    sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

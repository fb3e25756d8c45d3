import { badBody } from "../protocol/refusals.ts";

/** One request of a batch, not yet read. */
export interface BatchRequest {
  readonly kind: "request";
  readonly contentId: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Requests that are done together or not at all. */
export interface ChangeSet {
  readonly kind: "change-set";
  readonly requests: readonly BatchRequest[];
}

export type BatchPart = BatchRequest | ChangeSet;

/** Requests in a batch, those in change sets included. */
const BATCH_REQUESTS_MAX = 1000;

const REQUEST_LINE = /^(GET|POST|PATCH|PUT|DELETE) (\S+) HTTP\/1\.1$/;

/** The parts of a `multipart/mixed` body. Lines may end with or without a carriage return. */
export function parseBatch(contentType: string, text: string): readonly BatchPart[] {
  const parts = split(boundaryOf(contentType), text).map(partOf);
  const count = parts.reduce(
    (sum, one) => sum + (one.kind === "request" ? 1 : one.requests.length),
    0,
  );
  if (count > BATCH_REQUESTS_MAX) {
    throw badBody(`The batch has ${count} requests; at most ${BATCH_REQUESTS_MAX} are allowed.`);
  }
  return parts;
}

function partOf(text: string): BatchPart {
  const { headers, rest } = headed(text);
  const type = headers["content-type"] ?? "";
  if (!/^multipart\/mixed/i.test(type)) return requestOf(headers, rest);
  const requests = split(boundaryOf(type), rest).map((inner) => {
    const part = partOf(inner);
    if (part.kind === "change-set") throw badBody("A change set holds another change set.");
    if (part.method === "GET") throw badBody(`A change set holds a GET of ${part.url}.`);
    return part;
  });
  return { kind: "change-set", requests };
}

function requestOf(outer: Readonly<Record<string, string>>, text: string): BatchRequest {
  const end = text.indexOf("\n");
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  const [, method, url] = REQUEST_LINE.exec(line) ?? [];
  if (method === undefined || url === undefined) {
    throw badBody(`A part of the batch begins with '${line.slice(0, 80)}', not with a request.`);
  }
  const { headers, rest } = headed(end < 0 ? "" : text.slice(end + 1));
  const contentId = outer["content-id"] ?? headers["content-id"];
  return { kind: "request", contentId, method, url, headers, text: rest.trim() };
}

/** Header lines up to an empty line, and what comes after it. */
function headed(text: string): { headers: Record<string, string>; rest: string } {
  const [, head = "", rest = ""] = /^((?:[^\r\n]+\r?\n)*)(?:\r?\n)?([^]*)$/.exec(text) ?? [];
  const headers: Record<string, string> = {};
  for (const line of head.split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at > 0) headers[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
  }
  return { headers, rest };
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare] =
    /boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary !== undefined) return boundary;
  throw badBody(`The content type '${contentType.slice(0, 80)}' names no boundary.`);
}

/** What is between the boundaries. */
function split(boundary: string, text: string): readonly string[] {
  const lines = `\n${text}`.split(`\n--${boundary}`);
  const [, ...parts] = lines;
  const last = parts.pop();
  if (last === undefined || !last.startsWith("--")) {
    throw badBody(`The boundary ${boundary} is not closed.`);
  }
  return parts.map((part) => part.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, ""));
}

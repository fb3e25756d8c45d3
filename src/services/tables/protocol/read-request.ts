import { Problem } from "#platform/problem.ts";
import type { Actor } from "../context.ts";
import type { Work } from "../rows/work.ts";
import { parsePath } from "./path.ts";
import { parsePrefer } from "./prefer.ts";
import { parseQueryString } from "./query-string.ts";
import { badBody, CODES } from "./refusals.ts";
import type { Request } from "./request.ts";

/** Characters of a URL: of a request, and of one in a batch. */
const URL_MAX = 32 * 1024;
export const BATCH_URL_MAX = 64 * 1024;

const VERSIONED = /^\/api\/data\/[^/]*/i;
const SERVED = /^\/api\/data\/v9\.\d+$/i;

/** A request as it came over the wire, by itself or in a batch. */
export interface Incoming {
  readonly method: string;
  /** Path and query, encoded as they were sent. */
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** Scheme and host. */
  readonly origin: string;
  readonly actor: Actor;
  readonly work: Work | undefined;
}

/** What it asks for; refuses what cannot be read. */
export function readRequest(incoming: Incoming, urlMax = URL_MAX): Request {
  const { url, headers, origin } = incoming;
  if (url.length > urlMax) {
    const message = `The URL has ${url.length} characters; at most ${urlMax} are allowed.`;
    throw new Problem(414, CODES.InvalidArgument, message);
  }
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  const prefix = prefixOf(path);
  return {
    method: incoming.method,
    segments: parsePath(path.slice(prefix.length)),
    query: parseQueryString(at < 0 ? "" : url.slice(at + 1)),
    ifMatch: headers["if-match"],
    ifNoneMatch: headers["if-none-match"],
    preferences: parsePrefer(headers["prefer"]),
    body: jsonOf(incoming.text),
    actor: incoming.actor,
    base: `${origin}${prefix}`,
    work: incoming.work,
  };
}

/** `/api/data/v9.2`, in whatever 9.x; nothing for the entity sets at the root. */
export function prefixOf(path: string): string {
  const [prefix = ""] = VERSIONED.exec(path) ?? [];
  if (prefix === "" || SERVED.test(prefix)) return prefix;
  throw new Problem(
    404,
    CODES.SegmentNotFound,
    `The version of ${prefix} is not served; the interface is at /api/data/v9.2/.`,
  );
}

function jsonOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw badBody(`The body is not JSON: ${cause}`);
  }
}

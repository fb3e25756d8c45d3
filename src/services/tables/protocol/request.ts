import type { Actor, Context } from "../context.ts";
import { inWork, type Work } from "../rows/work.ts";
import type { Reader } from "../storage/sql.ts";
import type { Segment } from "./path.ts";
import type { Preferences } from "./prefer.ts";
import type { QueryString } from "./query-string.ts";

/** One request, whether it came by itself or in a batch. */
export interface Request {
  readonly method: string;
  readonly segments: readonly Segment[];
  readonly query: QueryString;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly preferences: Preferences;
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown;
  readonly actor: Actor;
  /** What URLs in answers begin with, without a slash at the end. */
  readonly base: string;
  /** The transaction that the request is a part of, in a change set. */
  readonly work: Work | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or a text as it is; undefined for none. */
  readonly body?: unknown;
}

/** Runs in the request's transaction, or in one of its own. */
export function writing<Result>(
  context: Context,
  request: Request,
  body: (work: Work) => Promise<Result>,
): Promise<Result> {
  return request.work === undefined ? inWork(context, request.actor, body) : body(request.work);
}

/** Sees what the request's transaction has done, or else what is committed. */
export function readerFor(context: Context, { work }: Request): Reader {
  return work?.writer ?? context.reader;
}

export function answered(status: number, body: unknown, headers: Answer["headers"] = {}): Answer {
  return { status, headers, body };
}

export function answeredEmpty(headers: Answer["headers"] = {}): Answer {
  return { status: 204, headers };
}

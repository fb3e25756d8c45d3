import { toProblem } from "#platform/http/app.ts";
import type { Actor, Context } from "../context.ts";
import { dispatch } from "../dispatch.ts";
import { BATCH_URL_MAX, readRequest } from "../protocol/read-request.ts";
import { badBody } from "../protocol/refusals.ts";
import type { Answer } from "../protocol/request.ts";
import { inWork, type Work } from "../rows/work.ts";
import { parseBatch, type BatchRequest, type ChangeSet } from "./parse-batch.ts";
import { answerText, multipart } from "./write-batch.ts";

export interface Batch {
  readonly actor: Actor;
  readonly contentType: string;
  readonly text: string;
  /** Scheme, host and the part of the path that all URLs share. */
  readonly origin: string;
  readonly prefix: string;
  /** Whether the parts after one that fails are done as well. */
  readonly continueOnError: boolean;
}

/** Where the rows that were created in a change set are, by content id. */
type Created = Map<string, string>;

/** `POST $batch`: the parts in order; each change set is one transaction. */
export async function runBatch(context: Context, batch: Batch): Promise<Answer> {
  const texts: string[] = [];
  for (const part of parseBatch(batch.contentType, batch.text)) {
    const { text, isGood } =
      part.kind === "request"
        ? await runRequest(context, batch, part)
        : await runChangeSet(context, batch, part);
    texts.push(text);
    if (!isGood && !batch.continueOnError) break;
  }
  const { type, body } = multipart("batchresponse", context.environment.newId(), texts);
  return { status: 200, headers: { "content-type": type }, body };
}

interface Ran {
  readonly text: string;
  readonly isGood: boolean;
}

async function runRequest(context: Context, batch: Batch, request: BatchRequest): Promise<Ran> {
  try {
    const answer = await runOne(context, batch, request, { work: undefined, created: new Map() });
    return { text: answerText(answer, request.contentId), isGood: true };
  } catch (error) {
    return refused(context, error, request.contentId);
  }
}

/** One failing request undoes the others, and its refusal is the answer of the change set. */
async function runChangeSet(context: Context, batch: Batch, { requests }: ChangeSet): Promise<Ran> {
  const created: Created = new Map();
  let current: BatchRequest | undefined;
  try {
    const texts = await inWork(context, batch.actor, async (work) => {
      const done: string[] = [];
      for (const request of requests) {
        current = request;
        const answer = await runOne(context, batch, request, { work, created });
        const address = answer.headers["odata-entityid"];
        if (request.contentId !== undefined && address !== undefined) {
          created.set(request.contentId, address);
        }
        done.push(answerText(answer, request.contentId));
      }
      return done;
    });
    const { type, body } = multipart("changesetresponse", context.environment.newId(), texts);
    return { text: `Content-Type: ${type}\r\n\r\n${body}`, isGood: true };
  } catch (error) {
    return refused(context, error, current?.contentId);
  }
}

interface Surroundings {
  readonly work: Work | undefined;
  readonly created: Created;
}

function runOne(
  context: Context,
  batch: Batch,
  request: BatchRequest,
  { work, created }: Surroundings,
): Promise<Answer> {
  const { actor, origin } = batch;
  const { method, headers } = request;
  const url = pathOf(batch, withAddresses(request.url, created));
  if (/\/\$batch(\?|$)/i.test(url)) throw badBody("A batch holds another batch.");
  const text = referring(request.text, created);
  const incoming = { method, url, headers, text, origin, actor, work };
  return dispatch(context, readRequest(incoming, BATCH_URL_MAX));
}

/** Path and query of a URL that is absolute, or relative to the host or to the service. */
function pathOf({ prefix }: Batch, url: string): string {
  if (/^https?:\/\//i.test(url)) return url.replace(/^https?:\/\/[^/]*/i, "");
  return url.startsWith("/") ? url : `${prefix}/${url}`;
}

/** `$1/…` in a URL begins at the row that the request with this content id has created. */
function withAddresses(url: string, created: Created): string {
  return url.replace(/^\/?\$(\w+)(?=\/|\?|$)/, (whole, id: string) => created.get(id) ?? whole);
}

/** `"$1"` as a reference in a body is that row. */
function referring(text: string, created: Created): string {
  if (created.size === 0) return text;
  return text.replace(
    /("[^"\\]*@odata\.(?:bind|id)"\s*:\s*")\/?\$(\w+)"/g,
    (whole, before: string, id: string) => {
      const address = created.get(id);
      return address === undefined ? whole : `${before}${address}"`;
    },
  );
}

function refused(context: Context, error: unknown, contentId: string | undefined): Ran {
  const { statusCode, code, message } = toProblem(error);
  if (statusCode >= 500 && statusCode !== 501) context.log.error(error);
  const answer = { status: statusCode, headers: {}, body: { error: { code, message } } };
  return { text: answerText(answer, contentId), isGood: false };
}

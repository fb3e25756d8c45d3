import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { toProblem } from "#platform/http/app.ts";
import { actorOf } from "./actor.ts";
import { runBatch } from "./batch/run-batch.ts";
import type { Context } from "./context.ts";
import { dispatch } from "./dispatch.ts";
import { parsePrefer } from "./protocol/prefer.ts";
import { prefixOf, readRequest } from "./protocol/read-request.ts";
import type { Answer } from "./protocol/request.ts";

const BODY_MAX = 128 * 1024 * 1024;
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const JSON_TYPE = "application/json; odata.metadata=minimal";

/** The interface below `/api/data/v9.x/`, and the entity sets of the specification at the root. */
export function tablesRoutes(context: Context): FastifyPluginAsync {
  return async function routes(app) {
    app.setErrorHandler(refuse);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_MAX }, keepText);
    app.post("/api/data/:version/$batch", async (request, reply) =>
      send(reply, await answerBatch(context, request)),
    );
    for (const url of ["/api/data/:version", "/api/data/:version/*", "/svc_*"]) {
      app.route({
        method: METHODS,
        url,
        handler: (request, reply) => answer(context, request, reply),
      });
    }
  };
}

function keepText(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  done(null, body.toString());
}

async function answer(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const headers = headersOf(request);
  const asked = readRequest({
    method: request.method,
    url: request.originalUrl,
    headers,
    text: textOf(request),
    origin: originOf(request),
    actor: actorOf(context, request),
    work: undefined,
  });
  const { applied } = asked.preferences;
  if (applied !== undefined) reply.header("preference-applied", applied);
  return send(reply, await dispatch(context, asked));
}

function answerBatch(context: Context, request: FastifyRequest): Promise<Answer> {
  const { prefer, "content-type": contentType = "" } = headersOf(request);
  return runBatch(context, {
    actor: actorOf(context, request),
    contentType,
    text: textOf(request),
    origin: originOf(request),
    prefix: prefixOf(request.originalUrl),
    continueOnError: parsePrefer(prefer).continueOnError,
  });
}

function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`;
}

function textOf({ body }: FastifyRequest): string {
  return typeof body === "string" ? body : "";
}

function headersOf({ headers }: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const { prefer, "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  return {
    prefer: Array.isArray(prefer) ? prefer.join(",") : prefer,
    "if-match": ifMatch,
    "if-none-match": ifNoneMatch,
    "content-type": headers["content-type"],
  };
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status).header("odata-version", "4.0").headers(headers);
  if (body === undefined) return reply.send();
  if (typeof body === "string") {
    if (!("content-type" in headers)) reply.type("text/plain");
    return reply.send(body);
  }
  return reply.type(JSON_TYPE).send(JSON.stringify(body));
}

/** This protocol's envelope. */
function refuse(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode, code, message, detail } = toProblem(error);
  reply.headers(detail.headers ?? {});
  return send(reply, { status: statusCode, headers: {}, body: { error: { code, message } } });
}

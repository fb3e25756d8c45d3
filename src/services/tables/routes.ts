import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { toProblem } from "#platform/http/app.ts";
import { Problem } from "#platform/problem.ts";
import { actorOf } from "./actor.ts";
import type { Context } from "./context.ts";
import { dispatch } from "./dispatch.ts";
import { parsePath } from "./protocol/path.ts";
import { parsePrefer } from "./protocol/prefer.ts";
import { parseQueryString } from "./protocol/query-string.ts";
import { badBody, CODES } from "./protocol/refusals.ts";
import type { Answer, Request } from "./protocol/request.ts";

const BODY_MAX = 128 * 1024 * 1024;
const URL_MAX = 32 * 1024;
const API = "/api/data/v9.";
const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const JSON_TYPE = "application/json; odata.metadata=minimal";

/** The interface below `/api/data/v9.x/`, and the entity sets of the specification at the root. */
export function tablesRoutes(context: Context): FastifyPluginAsync {
  return async function routes(app) {
    app.setErrorHandler(refuse);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_MAX }, keepText);
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
  const answered = await dispatch(context, requestOf(context, request));
  return send(reply, answered, parsePrefer(headerOf(request, "prefer")).applied);
}

function send(reply: FastifyReply, { status, headers, body }: Answer, applied?: string) {
  reply.code(status).header("odata-version", "4.0").headers(headers);
  if (applied !== undefined) reply.header("preference-applied", applied);
  if (body === undefined) return reply.send();
  if (typeof body === "string") {
    if (!("content-type" in headers)) reply.type("text/plain");
    return reply.send(body);
  }
  return reply.type(JSON_TYPE).send(JSON.stringify(body));
}

function requestOf(context: Context, request: FastifyRequest): Request {
  const url = request.originalUrl;
  if (url.length > URL_MAX) {
    throw new Problem(414, CODES.InvalidArgument, `The URL is longer than ${URL_MAX} characters.`);
  }
  const [path, query] = splitOnce(url, "?");
  const prefix = prefixOf(path);
  return {
    method: request.method,
    segments: parsePath(path.slice(prefix.length)),
    query: parseQueryString(query),
    ifMatch: headerOf(request, "if-match"),
    ifNoneMatch: headerOf(request, "if-none-match"),
    preferences: parsePrefer(headerOf(request, "prefer")),
    body: jsonOf(request.body),
    actor: actorOf(context, request),
    base: `${request.protocol}://${request.host}${prefix}`,
    work: undefined,
  };
}

/** `/api/data/v9.2`, in whatever 9.x; nothing for the entity sets at the root. */
function prefixOf(path: string): string {
  const [prefix] = /^\/api\/data\/[^/]*/i.exec(path) ?? [];
  if (prefix === undefined) return "";
  if (new RegExp(`^${API.replaceAll(".", "\\.")}\\d+$`, "i").test(prefix)) return prefix;
  throw new Problem(
    404,
    CODES.SegmentNotFound,
    `The version of ${prefix} is not served; the interface is at ${API}2/.`,
  );
}

function jsonOf(body: unknown): unknown {
  if (typeof body !== "string" || body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw badBody(`The body is not JSON: ${cause}`);
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** This protocol's envelope. */
function refuse(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode, code, message, detail } = toProblem(error);
  reply.headers(detail.headers ?? {});
  return send(reply, { status: statusCode, headers: {}, body: { error: { code, message } } });
}

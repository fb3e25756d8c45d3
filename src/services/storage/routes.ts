import { METHODS } from "node:http";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { identify } from "./access/identity.ts";
import { HEADER_NEEDS } from "./access/needs.ts";
import { authorize } from "./access/rights.ts";
import { parseTarget, type Target } from "./access/target.ts";
import { accountNotFound } from "./accounts/refusals.ts";
import { allowCrossOrigin, answerPreflight } from "./account/cors.ts";
import { defaultVersion } from "./account/service-properties.ts";
import { BodyStream } from "./body-stream.ts";
import type { Answer, AnswerHeaders, Call } from "./call.ts";
import type { Context } from "./context.ts";
import { MISSING_OPERATIONS } from "./missing-operations.ts";
import { findShape, OPERATIONS, type Operation } from "./operations.ts";
import { Problem } from "#platform/problem.ts";
import { isDiskFull } from "#platform/store/disk-full.ts";
import { refuseAsXml } from "./protocol/error-xml.ts";
import { notImplemented, refuseMissingFeatures } from "./protocol/features.ts";
import { headerValue } from "./protocol/header-values.ts";
import { parseTimeout } from "./protocol/timeout.ts";
import { versionOf } from "./protocol/versions.ts";
import { diskFull } from "./state/disk-full.ts";
import { refuseWriteToSnapshot } from "./snapshots/find-snapshot.ts";

/** HTTP only: read the request, find its operation, ask who sent it, run it, answer. */
export function storageRoutes(context: Context): FastifyPluginAsync {
  return async function routes(app) {
    app.decorateRequest("blobVersion", "");
    app.setErrorHandler(refuseAsXml(context.environment.now));
    acceptAnyContent(app);
    app.all("/*", { config: { access: "own" } }, (request, reply) =>
      serve(context, request, reply),
    );
  };
}

/**
 * Bodies of any type go to the operation as they stream in. A blob's Content-Type is the client's
 * own affair, and need not even be one; so it is kept from the framework, which would refuse it.
 */
function acceptAnyContent(app: FastifyInstance): void {
  app.decorateRequest("sentContentType", undefined);
  app.addHook("onRequest", async (request) => {
    request.sentContentType = request.headers["content-type"];
    delete request.headers["content-type"];
  });
  // And a type that is none would be replaced on its way out.
  app.decorateRequest("answeredContentType", undefined);
  app.addHook("onSend", async ({ answeredContentType }, reply) => {
    if (answeredContentType !== undefined) reply.header("content-type", answeredContentType);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  // Whatever the method, the refusal is in the words of this protocol.
  for (const method of METHODS) {
    if (method === "CONNECT" || app.supportedMethods.includes(method)) continue;
    app.addHttpMethod(method, { hasBody: true });
  }
}

async function serve(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const { headers, sentContentType } = request;
  if (sentContentType !== undefined) headers["content-type"] = sentContentType;
  const target = parseTarget(request.originalUrl);
  if (request.method === "OPTIONS") {
    requireAccount(context, target);
    return answerPreflight(context, target.account, request, reply);
  }
  await allowCrossOrigin(context, target.account, request, reply);
  const version = versionOf(
    headerValue(headers, "x-svc-version") ?? (await defaultVersion(context, request, target)),
    target.query,
    headers.authorization !== undefined,
  );
  request.blobVersion = version;
  // Answers take as long as they take, save where another server is waited for.
  parseTimeout(target.query);
  const operation = requireOperation(request, target);
  const identity = await identify(context, {
    target,
    authorization: headers.authorization,
    isSecure: request.protocol === "https",
    address: request.ip,
    sent: {
      method: request.method,
      url: request.originalUrl,
      rawHeaders: request.raw.rawHeaders,
      version,
    },
  });
  request.caller = identity.caller;
  requireAccount(context, target);
  requireWritable(request.method, target);
  const rights = await authorize(context, identity, operation.need, target);
  for (const [name, need] of HEADER_NEEDS) {
    if (headers[name] !== undefined) await authorize(context, identity, need, target);
  }
  refuseMissingFeatures({ headers, query: target.query }, version, operation.name);
  refuseWriteToSnapshot(request.method, target);
  const { account, container, blob, query } = target;
  const isBySignature = identity.kind === "sas";
  const named = { account, container, blob, query, headers };
  const call = { ...named, version, rights, isBySignature, request };
  const answer = await run(context, call, operation, reply);
  request.answeredContentType = answer.headers["content-type"]?.toString();
  return present(context, reply, answer, version);
}

/** The request is under way until its answer has been sent. */
async function run(
  context: Context,
  call: Call,
  operation: Operation,
  { raw }: FastifyReply,
): Promise<Answer> {
  const ended = context.inFlight.begin();
  try {
    const answer = await operation.run(context, call);
    // Of an answer whose client has gone nothing will be read.
    if (isStream(answer.body) && !raw.destroyed) raw.once("finish", ended).once("close", ended);
    else ended();
    return answer;
  } catch (error) {
    ended();
    throw isDiskFull(error) ? diskFull() : error;
  }
}

function isStream(body: Answer["body"]): boolean {
  return body !== undefined && !(body instanceof Uint8Array);
}

function requireOperation({ method, headers }: FastifyRequest, target: Target): Operation {
  const hasCopySource = headers["x-svc-copy-source"] !== undefined;
  const operation = findShape(OPERATIONS, method, target, hasCopySource);
  if (operation !== undefined) return operation;
  const missing = findShape(MISSING_OPERATIONS, method, target, hasCopySource);
  if (missing !== undefined) throw notImplemented(`the operation ${missing.name}`);
  throw unknownOperation(method, target);
}

function unknownOperation(method: string, { account, container, blob, query }: Target): Problem {
  const parameter = ["comp", "restype"].find((name) => query.has(name));
  if (parameter !== undefined) {
    const value = query.get(parameter) ?? "";
    const said = `${method} of this resource has no form with ${parameter}="${value}".`;
    return new Problem(400, "InvalidQueryParameterValue", said, {
      fields: { QueryParameterName: parameter, QueryParameterValue: value, Reason: said },
    });
  }
  if (container !== "" && blob === "") {
    const said = "A container is addressed with restype=container; there is no root container yet.";
    return new Problem(501, "APINotImplemented", said);
  }
  if (account === "") {
    const said = "The path names no storage account: /{account}/{container}/{blob}.";
    return new Problem(400, "InvalidUri", said);
  }
  const said = `${method} is not served for this resource.`;
  return new Problem(405, "UnsupportedHttpVerb", said);
}

function requireWritable(method: string, { isSecondary }: Target): void {
  if (!isSecondary || method === "GET" || method === "HEAD") return;
  const said = "The secondary address is for reading; write to the account's own address.";
  throw new Problem(403, "WriteOperationNotSupportedOnSecondary", said);
}

function requireAccount({ keys }: Context, { account }: Target): void {
  if (!keys.has(account)) throw accountNotFound(account);
}

function present(
  { blocks }: Context,
  reply: FastifyReply,
  { status, headers, body }: Answer,
  version: string,
) {
  reply.code(status).headers(sendable(headers)).header("x-svc-version", version);
  if (body === undefined) return reply.send();
  return reply.send(body instanceof Uint8Array ? body : new BodyStream(body, blocks.release));
}

function sendable(headers: AnswerHeaders): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent[name] = String(value);
  }
  return sent;
}

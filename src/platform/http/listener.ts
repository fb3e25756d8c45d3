import type { IncomingMessage } from "node:http";
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from "fastify";
import type { Environment } from "../environment.ts";
import { Problem } from "../problem.ts";
import type { RequestLog } from "../requests/request-log.ts";
import type { ListenerName } from "../service.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createApp, toProblem } from "./app.ts";
import { dialectOf, dialectOfPath, headerIn, nativeHeaders, nativeUrl } from "./dialect.ts";
import { refuseAsJson } from "./json-envelope.ts";

const CLIENT_REQUEST_ID_MAX = 1024;
const VISIBLE_ASCII = /^[\x20-\x7e]*$/;

export interface ListenerOptions {
  readonly name: ListenerName;
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly requests: RequestLog;
  readonly telemetry: Telemetry;
}

/** A server with what every interface has: dialects, request ids, request log, telemetry. */
export function createListener(options: ListenerOptions): FastifyInstance {
  const { environment, log, tls } = options;
  const app = createApp({
    genReqId: () => environment.newId(),
    loggerInstance: log,
    // The request log is kept apart; see platform/requests.
    logController: new LogController({ disableRequestLogging: true }),
    // A blob may be named like a path of the gateway: only the gateway's paths are translated.
    rewriteUrl: options.name === "gateway" ? nativeUrl : routableUrl,
    // A logger of its own for each request would cost more than most requests log.
    childLoggerFactory: (logger) => logger,
    // What the router itself refuses: a URL that does not decode, a segment that is too long.
    frameworkErrors: (error, request, reply) => {
      void refuseAsJson(error, request, reply);
    },
    // Kept-alive connections without a request do not hold up a clean stop.
    forceCloseConnections: "idle",
    ...(tls && { https: { key: tls.key, cert: tls.cert } }),
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-svc-request-id", request.id);
    options.telemetry.started(request, options.name);
    request.dialect = dialectOf(request.headers) ?? dialectOfPath(request.originalUrl);
    if (request.dialect === "public") nativeHeaders(request.headers);
    const clientRequestId = request.headers["x-svc-client-request-id"];
    if (isEchoed(clientRequestId)) reply.header("x-svc-client-request-id", clientRequestId);
  });
  app.addHook("onSend", async (request, reply) => {
    if (request.dialect === "native") return;
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      const spoken = headerIn(request.dialect, name);
      if (spoken === name) continue;
      reply.removeHeader(name).header(spoken, value);
    }
  });
  const failures = new WeakMap<FastifyRequest, Error>();
  app.addHook("onError", async (request, _reply, error) => {
    request.problemCode = toProblem(error).code;
    // A refusal that was meant is no fault, whatever its status.
    if (!(error instanceof Problem)) failures.set(request, error);
  });
  app.addHook("onResponse", async (request, reply) => {
    const failure = failures.get(request);
    // The service's own error handler has had its say by now: it may know the error as a refusal.
    if (failure !== undefined && reply.statusCode >= 500) {
      log.error({ err: failure, requestId: request.id }, "A request has failed");
    }
    options.telemetry.finished(request, reply, options.name);
    options.requests.add(request, reply, options.name);
  });
  app.setErrorHandler(refuseAsJson);
  return app;
}

/**
 * A path that does not decode is routed as `/`, so that the service that owns it refuses it in its
 * own words; `originalUrl` is as sent.
 */
function routableUrl({ url = "/" }: IncomingMessage): string {
  try {
    decodeURI(url);
    return url;
  } catch {
    return "/";
  }
}

/** An opaque value of the client's, returned only while it is short and printable. */
function isEchoed(value: string | string[] | undefined): value is string {
  return (
    typeof value === "string" && value.length <= CLIENT_REQUEST_ID_MAX && VISIBLE_ASCII.test(value)
  );
}

import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "#platform/http/authenticate.ts";
import { acceptJson } from "#platform/http/json-body.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "./context.ts";
import { allowOrigins } from "./protocol/cors.ts";
import { toFault } from "./protocol/errors.ts";
import { activityOf, asRefusal, refuseAsQuery } from "./protocol/refuse.ts";
import { isCommand, parseRequest, TEXT_MAX } from "./protocol/request.ts";
import { sendText } from "./protocol/send.ts";
import { createMeter, limitsOf } from "./protocol/truncation.ts";
import { writeV1 } from "./protocol/v1.ts";
import { writeV2 } from "./protocol/v2.ts";
import { messageOf, runQuery } from "./queries/run-query.ts";
import { runCommand } from "./management/run-command.ts";
import { streamIngestRoutes } from "./stream-ingest.ts";
import * as schema from "./schema.ts";

/** Bytes: a text of the greatest length, as JSON, with its properties. */
const BODY_BYTES_MAX = 4 * TEXT_MAX;

/** What the engine's own listener answers. */
export function engineRoutes(context: Context): FastifyPluginAsync {
  return async function routes(app) {
    prepare(app, context);
    queryRoutes(app, context);
    await app.register(streamIngestRoutes(context));
    redirectRoutes(app, context);
  };
}

/** What the data management listener answers: commands alone. */
export function dataManagementRoutes(context: Context): FastifyPluginAsync {
  return async function routes(app) {
    prepare(app, context);
    const refuse = () => Promise.reject(engineOnly(context));
    for (const path of ["/v1/rest/query", "/v2/rest/query", "/v1/rest/ingest/*"]) {
      app.all(path, refuse);
    }
  };
}

function engineOnly({ addresses }: Context): Problem {
  return new Problem(
    400,
    "BadRequest_WrongEndpoint",
    "This is the data management endpoint, which takes management commands alone; queries and " +
      `streaming ingestion go to the engine at ${addresses.cluster()}.`,
  );
}

/** What both listeners share. */
function prepare(app: FastifyInstance, context: Context): void {
  const { now } = context.environment;
  app.decorateRequest("queryText", "");
  app.decorateRequest("queryClientRequestId", "");
  app.setErrorHandler(refuseAsQuery(now));
  acceptJson(app);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-svc-activity-id", request.id);
  });
  allowOrigins(app, context.addresses.allowedOrigins);
  app.get("/v1/rest/auth/metadata", { config: { access: "anonymous" } }, async () =>
    authMetadata(context),
  );
  app.post(
    "/v1/rest/mgmt",
    { schema: schema.Management, bodyLimit: BODY_BYTES_MAX, attachValidation: true },
    (request, reply) => answerCommand(context, request, reply),
  );
  app.get("/v1/rest/ping", { config: { access: "anonymous" } }, async () => ({ status: "ok" }));
}

/** Where clients get their tokens, and for which resource. */
function authMetadata({ addresses }: Context) {
  return {
    AzureAD: {
      LoginEndpoint: addresses.auth(),
      LoginMfaRequired: false,
      KustoClientAppId: "",
      KustoClientRedirectUri: "",
      KustoServiceResourceId: addresses.cluster(),
      FirstPartyAuthorityUrl: "",
    },
  };
}

function queryRoutes(app: FastifyInstance, context: Context): void {
  for (const version of [1, 2] as const) {
    const path = `/v${version}/rest/query`;
    const options = { bodyLimit: BODY_BYTES_MAX, attachValidation: true };
    app.post(path, { schema: schema.Query.post, ...options }, (request, reply) =>
      answerQuery(context, { request, reply, sent: request.body, version }),
    );
    app.get(path, { schema: schema.Query.get, ...options }, (request, reply) =>
      answerQuery(context, { request, reply, sent: request.query, version }),
    );
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sent: unknown;
  readonly version: 1 | 2;
}

async function answerQuery(context: Context, { request, reply, sent, version }: Exchange) {
  const { environment, limits, log } = context;
  const asked = readRequest(context, request, sent);
  if (isCommand(asked.text)) throw commandAsQuery();
  const activity = activityOf(request, environment.now);
  const call = {
    caller: callerOf(request),
    request: asked,
    activityId: request.id,
    gone: whenGone(reply),
  };
  const running = await runQuery(context, call);
  const { options, started } = running;
  const meter = createMeter(limitsOf(options, limits));
  const write = {
    options,
    activity,
    meter,
    isCancelled: () => started.signal.aborted,
    faultOf(error: unknown) {
      started.end(messageOf(error));
      const fault = toFault(asRefusal(error), asked.text);
      if (fault.status >= 500 && !(error instanceof Problem)) log.error(error, "A query failed");
      return fault;
    },
  };
  const texts = version === 1 ? writeV1(running, write) : writeV2(running, write);
  return sendText(
    request,
    reply,
    counted(texts, () => {
      started.activity.records = meter.records();
      started.activity.bytes = meter.bytes();
    }),
  );
}

async function answerCommand(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const asked = readRequest(context, request, request.body);
  if (!isCommand(asked.text)) throw queryAsCommand();
  const text = await runCommand(context, {
    caller: callerOf(request),
    request: asked,
    activityId: request.id,
    gone: whenGone(reply),
  });
  return sendText(request, reply, oneText(text));
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

function queryAsCommand(): Problem {
  const said =
    "The text is a query (a management command begins with a dot): send it to /v1/rest/query " +
    "or /v2/rest/query.";
  return new Problem(400, "BadRequest_WrongEndpoint", said);
}

/** Reads the request, and notes what errors say of it. */
function readRequest({ environment }: Context, request: FastifyRequest, sent: unknown) {
  const asked = parseRequest(sent, request.headers, environment.newId);
  request.queryText = asked.text;
  request.queryClientRequestId = asked.clientRequestId;
  return asked;
}

async function* counted(texts: AsyncGenerator<string>, done: () => void): AsyncGenerator<string> {
  try {
    yield* texts;
  } finally {
    done();
  }
}

function commandAsQuery(): Problem {
  const said = "The text is a management command (it begins with a dot): send it to /v1/rest/mgmt.";
  return new Problem(400, "BadRequest_WrongEndpoint", said);
}

/** Ends when the client closes its connection before it has the whole answer. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort(new Error("The client went away."));
  });
  return controller.signal;
}

/** People who follow a link to the cluster come to the query page; nothing runs on the way. */
function redirectRoutes(app: FastifyInstance, { addresses }: Context): void {
  const anonymous = { config: { access: "anonymous" } } as const;
  app.get("/", anonymous, (request, reply) => reply.redirect(pageOf(request)));
  app.get<{ Params: { database: string } }>("/:database", anonymous, (request, reply) =>
    reply.redirect(pageOf(request, request.params.database)),
  );

  function pageOf({ query }: FastifyRequest, database?: string): string {
    const kept = new URLSearchParams();
    if (database !== undefined) kept.set("database", database);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (typeof value === "string" && !kept.has(name)) kept.set(name, value);
    }
    const search = kept.size === 0 ? "" : `?${kept.toString()}`;
    return `${addresses.queryPage()}${search}`;
  }
}

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import type { Caller } from "../auth/caller.ts";
import { realEnvironment } from "../environment.ts";
import { Problem } from "../problem.ts";
import { createRequestLog } from "../requests/request-log.ts";
import type { Service } from "../service.ts";
import { openTelemetry } from "../telemetry/telemetry.ts";
import { requireApiVersion } from "./api-version.ts";
import { callerOf } from "./authenticate.ts";
import { createListener } from "./listener.ts";
import { mount } from "./mount.ts";

const jane: Caller = { objectId: "jane", kind: "User", tenantId: "t", scheme: "bearer" };
const newId = () => "00000000-0000-4000-8000-000000000001";

const books: Service = {
  name: "books",
  routes: {
    async gateway(app) {
      app.get("/books", (request) => Promise.resolve({ reader: callerOf(request).objectId }));
      app.get("/open", { config: { access: "anonymous" } }, (_request, reply) =>
        reply.header("x-svc-version", "1").send("hello"),
      );
      app.get("/keyed", { config: { apiKey: true } }, async (request) => callerOf(request).scheme);
      const onRequest = requireApiVersion(["2022-03-01-preview", "2022-04-01"]);
      app.get("/versioned", { onRequest, config: { access: "anonymous" } }, async () => "ok");
      app.get("/named/:name", async () => "ok");
      app.get("/planned", { config: { access: "anonymous" } }, () => {
        throw new Problem(501, "NotImplemented", "Not yet.");
      });
      app.get("/broken", { config: { access: "anonymous" } }, () => {
        throw new Error("secret of the house");
      });
    },
  },
  health: async () => ({ status: "ok" }),
  stop: async () => {},
};

/** A gateway with one service, for one valid token and one valid key. */
async function gateway(log: FastifyBaseLogger = pino({ level: "silent" })) {
  const environment = { ...realEnvironment, newId };
  const requests = createRequestLog(environment);
  const telemetry = await openTelemetry({ otlpEndpoint: undefined, version: "1" });
  const app = createListener({
    name: "gateway",
    tls: undefined,
    environment,
    log,
    requests,
    telemetry,
  });
  await mount(app, "gateway", books, {
    async verifyToken(token, audiences) {
      assert.deepEqual(audiences, ["books"]);
      if (token === "good") return jane;
      throw new Problem(401, "InvalidAuthenticationToken", "The token has expired.");
    },
    findApiKey: async (key) => (key === "key1" ? { ...jane, scheme: "api-key" } : undefined),
    audiences: () => ["books"],
    authorizationUri: () => "http://idp/authorize",
  });
  async function get(url: string, headers: Record<string, string> = {}) {
    return app.inject({ url, headers });
  }
  return { get, requests, telemetry };
}

function codeOf(body: string): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

suite("a listener", () => {
  test("lets nobody past without a token, and says where to get one", async () => {
    const { get } = await gateway();
    const answer = await get("/books");
    assert.deepEqual(
      [answer.statusCode, answer.headers["www-authenticate"], answer.json()],
      [
        401,
        'Bearer authorization_uri="http://idp/authorize"',
        {
          error: {
            code: "AuthenticationFailed",
            message: "The request carries no bearer token: send Authorization: Bearer <token>.",
          },
        },
      ],
    );
    const expired = await get("/books", { authorization: "Bearer old" });
    assert.match(String(expired.headers["www-authenticate"]), /error="invalid_token"$/);
    const { code, message } = expired.json<{ error: Record<string, string> }>().error;
    assert.deepEqual([code, message], ["InvalidAuthenticationToken", "The token has expired."]);
  });

  test("takes a token, or a key where the route takes keys", async () => {
    const { get } = await gateway();
    assert.deepEqual((await get("/books", { authorization: "Bearer good" })).json(), {
      reader: "jane",
    });
    assert.equal((await get("/books", { "api-key": "key1" })).statusCode, 401);
    assert.equal((await get("/keyed", { "api-key": "key1" })).body, "api-key");
    assert.equal((await get("/keyed", { "api-key": "key2" })).statusCode, 401);
    assert.equal((await get("/keyed", { authorization: "Bearer good" })).body, "bearer");
  });

  test("answers in the dialect in which it was asked", async () => {
    const { get } = await gateway();
    const native = await get("/open", { "x-svc-client-request-id": "mine" });
    const open = await get("/open", { "x-ms-client-request-id": "mine" });
    const told = (prefix: string, headers: Record<string, unknown>) =>
      ["version", "request-id", "client-request-id"].map((name) => headers[`${prefix}-${name}`]);
    assert.deepEqual(told("x-svc", native.headers), ["1", newId(), "mine"]);
    assert.deepEqual(told("x-ms", open.headers), ["1", newId(), "mine"]);
    assert.deepEqual(told("x-svc", open.headers), [undefined, undefined, undefined]);
    const mixed = await get("/open", { "x-ms-date": "a", "x-svc-date": "b" });
    assert.equal(mixed.statusCode, 400);
  });

  test("does not echo a client request id that is too long or not printable", async () => {
    const { get } = await gateway();
    const long = await get("/open", { "x-svc-client-request-id": "a".repeat(1025) });
    const odd = await get("/open", { "x-svc-client-request-id": "caf\u00e9" });
    const echoes = [long, odd].map(({ headers }) => headers["x-svc-client-request-id"]);
    assert.deepEqual(echoes, [undefined, undefined]);
  });

  test("names the versions that it serves", async () => {
    const { get } = await gateway();
    assert.equal((await get("/versioned?api-version=2022-04-01")).statusCode, 200);
    for (const url of ["/versioned", "/versioned?api-version=2001-01-01"]) {
      const answer = await get(url);
      assert.equal(answer.statusCode, 400);
      assert.match(answer.body, /2022-03-01-preview, 2022-04-01/);
    }
    const twice = await get("/versioned?api-version=2022-04-01&api-version=2022-04-01");
    assert.equal(twice.statusCode, 400);
  });

  test("refuses a URL that it cannot route in its own envelope", async () => {
    const { get } = await gateway();
    const odd = await get("/%zz");
    assert.deepEqual([odd.statusCode, codeOf(odd.body)], [400, "InvalidUri"]);
    const long = await get(`/named/${"a".repeat(2049)}`);
    assert.deepEqual([long.statusCode, codeOf(long.body)], [414, "RequestUriTooLong"]);
  });

  test("tells nothing of its own failures", async () => {
    const { get } = await gateway();
    const answer = await get("/broken");
    assert.equal(answer.statusCode, 500);
    assert.doesNotMatch(answer.body, /secret/);
  });

  test("logs its failures with the request's id, and no refusal that was meant", async () => {
    const lines: string[] = [];
    const { get } = await gateway(pino({ level: "error" }, { write: (line) => lines.push(line) }));
    await get("/broken");
    await get("/planned");
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId),
      [newId()],
    );
  });

  test("remembers requests without their secrets", async () => {
    const { get, requests } = await gateway();
    await get("/open?sig=abc&x=1", { "x-svc-client-request-id": "mine" });
    await get("/books");
    const [refused, opened] = requests.list({ service: "books" });
    assert.deepEqual(
      [refused?.status, refused?.code, refused?.callerId],
      [401, "AuthenticationFailed", undefined],
    );
    assert.deepEqual(
      [opened?.url, opened?.status, opened?.clientRequestId, opened?.listener],
      ["/open?sig=***&x=1", 200, "mine", "gateway"],
    );
    assert.equal(requests.list({ status: 401 }).length, 1);
    assert.equal(requests.list({ limit: 1 }).length, 1);
  });

  test("counts requests for Prometheus", async () => {
    const { get, telemetry } = await gateway();
    await get("/open");
    const text = await telemetry.metrics.registry.metrics();
    const labels = 'listener="gateway",service="books",method="GET",status="200"';
    assert.ok(text.includes(`atoll_http_request_duration_seconds_count{${labels}} 1`));
  });
});

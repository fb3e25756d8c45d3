import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { pino } from "pino";
import type { AccessRequest } from "../auth/access.ts";
import type { Caller } from "../auth/caller.ts";
import { realEnvironment } from "../environment.ts";
import { createListener } from "../http/listener.ts";
import { mount } from "../http/mount.ts";
import { createRequestLog } from "../requests/request-log.ts";
import type { Health } from "../service.ts";
import { openTelemetry } from "../telemetry/telemetry.ts";
import { houseRoutes } from "./routes.ts";

const operator: Caller = {
  objectId: "operator",
  kind: "User",
  tenantId: "t",
  scheme: "bearer",
};

const operatorHeaders = { authorization: "Bearer operator" };

/** The house's routes with one service; the operator may do what `allowed` names. */
async function house(told: { health?: Health; allowed?: string[]; isReady?: boolean } = {}) {
  const { health = { status: "ok" }, allowed = [], isReady = true } = told;
  const asked: AccessRequest[] = [];
  const requests = createRequestLog(realEnvironment);
  const telemetry = await openTelemetry({ otlpEndpoint: undefined, version: "1.2.3" });
  const log = pino({ level: "silent" });
  const environment = realEnvironment;
  const app = createListener({
    name: "gateway",
    tls: undefined,
    environment,
    log,
    requests,
    telemetry,
  });
  const books = {
    name: "books",
    routes: {},
    openapi: () => ({ openapi: "3.1.0" }),
    health: async () => health,
    stop: async () => {},
  };
  const gateway = houseRoutes({
    version: "1.2.3",
    services: () => [books],
    isReady: () => isReady,
    decide(_caller, request) {
      asked.push(request);
      return allowed.includes(request.action);
    },
    requests,
    metrics: telemetry.metrics,
  });
  await mount(
    app,
    "gateway",
    { ...books, name: "atoll", routes: { gateway } },
    {
      verifyToken: async () => operator,
      findApiKey: async () => undefined,
      audiences: () => [],
      authorizationUri: () => "http://idp/authorize",
    },
  );
  return { app, asked };
}

suite("the house", () => {
  test("tells everybody whether it is well and ready", async () => {
    const { app } = await house();
    const health = await app.inject("/health");
    const services = { books: { status: "ok" } };
    assert.deepEqual(
      [health.statusCode, health.json()],
      [200, { status: "ok", version: "1.2.3", services }],
    );
    assert.equal((await app.inject("/ready")).statusCode, 200);
    const starting = await house({ isReady: false });
    assert.equal((await starting.app.inject("/ready")).statusCode, 503);
  });

  test("says which service has failed", async () => {
    const { app } = await house({ health: { status: "failed", detail: "The disk is full." } });
    const answer = await app.inject("/health");
    const { services } = answer.json<{ services: object }>();
    assert.equal(answer.statusCode, 503);
    assert.deepEqual(services, { books: { status: "failed", detail: "The disk is full." } });
  });

  test("shows metrics, requests and descriptions to nobody without a token", async () => {
    const { app } = await house();
    for (const url of ["/metrics", "/admin/requests", "/openapi/books.json"]) {
      assert.equal((await app.inject(url)).statusCode, 401, url);
    }
  });

  test("names the action that the caller lacks", async () => {
    const { app, asked } = await house();
    const answer = await app.inject({ url: "/metrics", headers: operatorHeaders });
    assert.equal(answer.statusCode, 403);
    assert.match(answer.body, /Svc\.Atoll\/metrics\/read at the scope \//);
    await app.inject({ url: "/admin/requests", headers: operatorHeaders });
    assert.deepEqual(
      asked.map(({ action }) => action),
      ["Svc.Atoll/metrics/read", "Svc.Atoll/requests/read"],
    );
  });

  test("lists requests, newest first, as many as asked for", async () => {
    const { app } = await house({ allowed: ["Svc.Atoll/requests/read"] });
    await app.inject("/health");
    await app.inject("/ready");
    const listed = async (url: string) => {
      const answer = await app.inject({ url, headers: operatorHeaders });
      return answer.json<{ value: { url: string }[] }>().value.map((entry) => entry.url);
    };
    assert.deepEqual(await listed("/admin/requests?limit=2"), ["/ready", "/health"]);
    assert.deepEqual(await listed("/admin/requests?status=404"), []);
    const wrong = await app.inject({ url: "/admin/requests?limit=0", headers: operatorHeaders });
    assert.equal(wrong.statusCode, 400);
  });

  test("describes its services", async () => {
    const { app } = await house();
    const known = await app.inject({ url: "/openapi/books.json", headers: operatorHeaders });
    assert.deepEqual(known.json(), { openapi: "3.1.0" });
    const unknown = await app.inject({ url: "/openapi/b.json", headers: operatorHeaders });
    assert.equal(unknown.statusCode, 404);
    assert.match(unknown.body, /there are books\.json/);
  });

  test("counts its own requests", async () => {
    const { app } = await house({ allowed: ["Svc.Atoll/metrics/read"] });
    await app.inject("/health");
    const answer = await app.inject({ url: "/metrics", headers: operatorHeaders });
    assert.match(answer.body, /atoll_info\{version="1\.2\.3"\} 1/);
  });
});

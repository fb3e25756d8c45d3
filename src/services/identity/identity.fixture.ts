import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions } from "fastify";
import { decodeJwt } from "jose";
import { pino } from "pino";
import { realEnvironment } from "#platform/environment.ts";
import { createOutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { createListener } from "#platform/http/listener.ts";
import { mount } from "#platform/http/mount.ts";
import { createRequestLog } from "#platform/requests/request-log.ts";
import { openSealer } from "#platform/seal.ts";
import { openTelemetry } from "#platform/telemetry/telemetry.ts";
import { browser } from "./browser.fixture.ts";
import { openIdentity, type IdentityOptions } from "./index.ts";

export const AUTH = "https://id.test";
export const API_A = "https://a.test";
export const API_B = "https://b.test/";
export const CALLBACK = "http://127.0.0.1:5123/callback";
export const VERIFIER = "v".repeat(43);
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof identity>>["inject"]>>;

/** The service behind its gateway, without a port, at a time that only moves when it is told to. */
export async function identity(options: Partial<IdentityOptions> = {}) {
  const dir = options.serviceDir ?? (await mkdtemp(join(tmpdir(), "atoll-identity-")));
  const clock = { now: Date.parse("2026-01-02T03:04:05.000Z") };
  const environment = { ...realEnvironment, now: () => new Date(clock.now) };
  const log = pino({ level: "silent" });
  const removed: string[] = [];
  /** What callers may not do, by the end of the action. */
  const denied = new Set<string>();
  const service = await openIdentity({
    location: { kind: "memory" },
    serviceDir: dir,
    environment,
    log,
    decide: (_caller, { action }) => ![...denied].some((end) => action.endsWith(end)),
    sealer: await openSealer(dir),
    outbound: createOutboundFetch({ allowedHosts: [], allowLoopback: true }),
    authUrl: () => AUTH,
    resources: () => [API_A, API_B],
    externalIssuers: [],
    isSecure: true,
    principalRemoved: async (id) => void removed.push(id),
    principalDisabled: async () => undefined,
    ...options,
    development: true,
  });
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
  await mount(app, "gateway", service, {
    verifyToken: service.verifyToken,
    findApiKey: service.findApiKey,
    audiences: () => [AUTH],
    authorizationUri: () => `${AUTH}/common/oauth2/authorize`,
  });
  const { client } = service.development;
  const inject = (request: InjectOptions) => app.inject(request);

  /** Sends a form to a program's endpoint. */
  async function post(url: string, form: Record<string, string>, headers = {}) {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const payload = new URLSearchParams(form).toString();
    const answer = await inject({ method: "POST", url, payload, headers: { ...type, ...headers } });
    return { status: answer.statusCode, json: answer.json<Fields>(), headers: answer.headers };
  }

  async function token(form: Record<string, string>, path = "/common/oauth2/token") {
    return post(path, { ...client, ...form });
  }

  /** A token of the development client for the admin interface, or for an audience. */
  async function clientToken(resource = AUTH): Promise<string> {
    const { json } = await token({ grant_type: "client_credentials", resource });
    return String(json["access_token"]);
  }

  /** Calls the admin interface as the development client. */
  async function admin(
    method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT",
    path: string,
    body?: object,
  ) {
    const headers = { authorization: `Bearer ${await clientToken()}` };
    const url = `/admin/${path}`;
    const answer = await inject({ method, url, headers, ...(body && { body }) });
    const json = answer.body === "" ? {} : answer.json<Fields>();
    return { status: answer.statusCode, json, error: json["error"] as Refusal | undefined };
  }

  function authorizeUrl(change: Record<string, string | undefined> = {}, path = "/common/oauth2") {
    const asked = {
      response_type: "token",
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      resource: API_A,
      state: "s1",
      ...change,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(asked)) {
      if (value !== undefined) query.set(name, value);
    }
    return `${path}/authorize?${query.toString()}`;
  }

  return {
    service,
    clock,
    denied,
    removed,
    inject,
    post,
    token,
    clientToken,
    admin,
    authorizeUrl,
    client,
    credentials: service.development.admin,
    newBrowser: () => browser(inject),
    async stop() {
      await app.close();
      await service.stop();
      await telemetry.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type Fields = Record<string, unknown>;
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** What an answer sends to the client in the fragment or the query of its address. */
export function sentTo({ headers, statusCode }: Answer): { to: string; fields: Fields } {
  assert.equal(statusCode, 302);
  const [to = "", sent = ""] = String(headers.location).split(/[#?]/);
  return { to, fields: Object.fromEntries(new URLSearchParams(sent)) };
}

export function claimsOf(token: unknown): Fields {
  return decodeJwt(String(token));
}

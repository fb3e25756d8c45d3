import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import type { Caller } from "#platform/auth/caller.ts";
import { realEnvironment } from "#platform/environment.ts";
import { createOutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { createListener } from "#platform/http/listener.ts";
import { mount } from "#platform/http/mount.ts";
import { Problem } from "#platform/problem.ts";
import { createRequestLog } from "#platform/requests/request-log.ts";
import { openSealer } from "#platform/seal.ts";
import { openTelemetry } from "#platform/telemetry/telemetry.ts";
import { openStorage, type StorageOptions } from "./index.ts";

export const ACCOUNT = "testaccount1";
export const KEYS = [Buffer.alloc(64, 1), Buffer.alloc(64, 2)] as const;
export const VERSION = "2026-12-06";
export const ORIGIN = "http://127.0.0.1:10000";

/** Tokens of callers, by the caller's id: the directory of these tests. */
export const TOKENS: Readonly<Record<string, string>> = { reader: "t.reader", nobody: "t.nobody" };

export interface TestStorage {
  readonly app: FastifyInstance;
  /** Where accounts are managed. */
  readonly gateway: FastifyInstance;
  readonly openapi: () => object;
  readonly dir: string;
  /** Lets go of everything; the folder goes too unless it was given. */
  readonly stop: () => Promise<void>;
}

/** The blob service behind its listener, in memory save for the bytes of blobs. */
export async function startStorage(options: Partial<StorageOptions> = {}): Promise<TestStorage> {
  const environment = options.environment ?? realEnvironment;
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), "atoll-storage-")));
  const log = pino({ level: "silent" });
  const service = await openStorage({
    location: { kind: "memory" },
    dir,
    environment,
    log,
    decide: ({ objectId }, { action }) => objectId === "reader" && action.endsWith("/read"),
    verifyToken,
    audiences: () => ["https://storage.test"],
    outbound: createOutboundFetch({ allowedHosts: [], allowLoopback: true }),
    listenersOrigins: () => [ORIGIN],
    accounts: [{ name: ACCOUNT, keys: KEYS.map((key) => key.toString("base64")) }],
    sealer: await openSealer(dir),
    subscriptionId: "s1",
    resourceGroup: "local",
    plainHttpSecrets: true,
    ...options,
  });
  const telemetry = await openTelemetry({ otlpEndpoint: undefined, version: "test" });
  const listener = async (name: "blob" | "gateway") => {
    const requests = createRequestLog(environment);
    const opened = createListener({ name, tls: undefined, environment, log, requests, telemetry });
    await mount(opened, name, service, {
      verifyToken: options.verifyToken ?? verifyToken,
      findApiKey: async () => undefined,
      audiences: () => [],
      authorizationUri: () => "",
    });
    return opened;
  };
  const [app, gateway] = [await listener("blob"), await listener("gateway")];
  return {
    app,
    gateway,
    openapi: service.openapi,
    dir,
    async stop() {
      await Promise.all([app.close(), gateway.close()]);
      await service.stop();
      await telemetry.close();
      if (options.dir === undefined) await rm(dir, { recursive: true });
    },
  };
}

async function verifyToken(token: string): Promise<Caller> {
  const found = Object.entries(TOKENS).find(([, known]) => known === token);
  if (found === undefined) throw new Problem(401, "InvalidToken", "The token is unknown.");
  return { objectId: found[0], kind: "User", tenantId: "t1", scheme: "bearer" };
}

export interface Sent {
  readonly method?: NonNullable<InjectOptions["method"]>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly version?: string;
  /** Sent without Authorization. */
  readonly unsigned?: boolean;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** `Code` of the error, empty when there was none. */
  readonly code: string;
}

/** Sends a request to a path below the account, signed with its first key. */
export async function send({ app }: TestStorage, path: string, sent: Sent = {}): Promise<Got> {
  const { method = "PUT", body } = sent;
  const url = path.startsWith("/") ? path : `/${ACCOUNT}/${path}`;
  const answer = await app.inject({
    method,
    url,
    headers: headersOf(method, url, sent),
    ...(body !== undefined && { payload: Buffer.from(body) }),
  });
  const code = /<Code>(.*?)<\/Code>/.exec(answer.body)?.[1] ?? "";
  const { statusCode: status, rawPayload: bytes } = answer;
  return { status, headers: answer.headers, text: answer.body, bytes, code };
}

function headersOf(method: string, url: string, sent: Sent): Record<string, string> {
  const headers: Record<string, string> = {
    "x-svc-version": sent.version ?? VERSION,
    "x-svc-date": new Date().toUTCString(),
    ...(method === "PUT" && { "content-length": String(sent.body?.length ?? 0) }),
    ...sent.headers,
  };
  if (sent.unsigned !== true) headers["authorization"] ??= authorizationOf(method, url, headers);
  return headers;
}

/** `Authorization` of a request, written from the protocol's description and not by our code. */
export function authorizationOf(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): string {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const of = (name: string) => lower[name] ?? "";
  const signsZero = of("x-svc-version") <= "2014-02-14";
  const [path = "", query = ""] = url.split("?");
  const own = Object.keys(lower)
    .filter((name) => name.startsWith("x-svc-"))
    .toSorted();
  const text = [
    method,
    ...["content-encoding", "content-language"].map(of),
    of("content-length") === "0" && !signsZero ? "" : of("content-length"),
    ...["content-md5", "content-type"].map(of),
    "",
    ...["if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"].map(of),
    ...own.map((name) => `${name}:${of(name)}`),
    `/${ACCOUNT}${path}`,
    ...query
      .split("&")
      .filter((part) => part !== "")
      .toSorted()
      .map((part) => part.replace("=", ":"))
      .map(decodeURIComponent),
  ].join("\n");
  const signature = createHmac("sha256", KEYS[0]).update(text).digest("base64");
  return `SharedKey ${ACCOUNT}:${signature}`;
}

/** A container and, in it, an empty append blob. */
export async function createAppendBlob(storage: TestStorage, path: string): Promise<void> {
  const [container = ""] = path.split("/");
  await send(storage, `${container}?restype=container`);
  await send(storage, path, { headers: { "x-svc-blob-type": "AppendBlob" } });
}

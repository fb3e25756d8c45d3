import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { AccessRequest } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { realEnvironment, type Environment } from "#platform/environment.ts";
import { createOutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { createListener } from "#platform/http/listener.ts";
import { mount } from "#platform/http/mount.ts";
import { createRequestLog } from "#platform/requests/request-log.ts";
import { openSealer } from "#platform/seal.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { openTelemetry } from "#platform/telemetry/telemetry.ts";
import { openTables } from "./index.ts";
import { tablesRoles } from "./roles.ts";

const API = "/api/data/v9.2";
export const SET = "svc_opportunityresearchuserinteractionses";
export const TABLE = "svc_opportunityresearchuserinteractions";
const SCOPE = "/subscriptions/s/resourceGroups/local/providers/Svc.Tables/environments/atoll";
const TENANT = "00000000-0000-4000-8000-00000000007e";

const JSON_TYPE = "application/json; charset=utf-8";

/** Who there is: the token is the name. */
export const PEOPLE = {
  admin: "00000000-0000-4000-8000-0000000000a1",
  user: "00000000-0000-4000-8000-0000000000a2",
  reader: "00000000-0000-4000-8000-0000000000a3",
  nobody: "00000000-0000-4000-8000-0000000000a4",
} as const;
type Person = keyof typeof PEOPLE;

const ROLES: Readonly<Record<Person, string>> = {
  admin: "Tables Admin",
  user: "Tables User",
  reader: "Tables Reader",
  nobody: "",
};

/** What a body has to say at least. */
export const required = {
  svc_opportunityid: "o1",
  [TABLE]: "First",
  svc_sarid: "s1",
  svc_topic: 1,
  svc_uiitemid: "u1",
};

export interface Got {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly text: string;
  readonly code: string | undefined;
  readonly message: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Asking {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly who?: Person;
}

type Method = "DELETE" | "GET" | "PATCH" | "POST" | "PUT";

export interface TestTables extends AsyncDisposable {
  /** `path` begins behind `/api/data/v9.2`, or is a whole URL. */
  readonly ask: (method: Method, path: string, asking?: Asking) => Promise<Got>;
  /** Creates a row and answers its id. */
  readonly create: (set: string, body: object) => Promise<string>;
  /** Creates an interaction with what is required, and more. */
  readonly interaction: (more?: object) => Promise<string>;
}

export interface FixtureOptions {
  readonly location?: StoreLocation;
  readonly environment?: Environment;
}

/** The service behind a listener without a port, on an empty store. */
export async function startTables(options: FixtureOptions = {}): Promise<TestTables> {
  const { location = { kind: "memory" }, environment = realEnvironment } = options;
  const log = pino({ level: "silent" });
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-tables-"));
  const service = await openTables({
    outbound: createOutboundFetch({ allowedHosts: [], allowLoopback: true }),
    sealer: await openSealer(folder.path),
    location,
    environment,
    log,
    decide,
    principals: {
      find: (id) => {
        const name = nameOf(id);
        return name && { name, displayName: name.toUpperCase(), kind: "User" };
      },
    },
    tenantId: TENANT,
    scope: SCOPE,
  });
  const telemetry = await openTelemetry({ otlpEndpoint: undefined, version: "test" });
  const requests = createRequestLog(environment);
  const gateway = {
    name: "gateway",
    tls: undefined,
    environment,
    log,
    requests,
    telemetry,
  } as const;
  const app = createListener(gateway);
  await mount(app, "gateway", service, {
    verifyToken: async (token) => callerNamed(token as Person),
    findApiKey: async () => undefined,
    audiences: () => [],
    authorizationUri: () => "http://idp/authorize",
  });

  async function ask(method: Method, path: string, asking: Asking = {}): Promise<Got> {
    const { body, headers = {}, who = "admin" } = asking;
    const answer = await app.inject({
      method,
      url: path.startsWith("http") ? path.replace(/^http:\/\/[^/]+/, "") : `${API}${path}`,
      headers: { authorization: `Bearer ${who}`, "content-type": JSON_TYPE, ...headers },
      ...(body !== undefined && { payload: payloadOf(body) }),
    });
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const json: Record<string, unknown> = isJson ? answer.json() : {};
    const { error } = json as { error?: { code: string; message: string } };
    const { statusCode: status, body: text } = answer;
    const refused = { code: error?.code, message: error?.message ?? "" };
    return { status, json, text, headers: answer.headers, ...refused };
  }

  async function create(set: string, body: object): Promise<string> {
    const { status, headers, text } = await ask("POST", `/${set}`, { body });
    const [, id] = /\(([0-9a-f-]{36})\)$/.exec(String(headers["odata-entityid"])) ?? [];
    if (status !== 204 || id === undefined) throw new Error(`${status} ${text}`);
    return id;
  }

  return {
    ask,
    create,
    interaction: (more = {}) => create(SET, { ...required, ...more }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await service.stop();
      await telemetry.close();
      await folder.remove();
    },
  };
}

function payloadOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

function nameOf(objectId: string): Person | undefined {
  return (Object.keys(PEOPLE) as Person[]).find((name) => PEOPLE[name] === objectId);
}

function callerNamed(name: Person): Caller {
  return { objectId: PEOPLE[name], kind: "User", tenantId: TENANT, scheme: "bearer" };
}

function decide({ objectId }: Caller, { action, scope }: AccessRequest): boolean {
  const name = nameOf(objectId);
  const role = tablesRoles.find(({ roleName }) => roleName === (name && ROLES[name]));
  if (role === undefined || !scope.startsWith(SCOPE)) return false;
  return (
    role.permissions[0]?.dataActions.some(
      (one) => one === action || (one.endsWith("*") && action.startsWith(one.slice(0, -1))),
    ) === true
  );
}

import { pino } from "pino";
import type { Caller } from "#platform/auth/caller.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { realEnvironment } from "#platform/environment.ts";
import { createListener } from "#platform/http/listener.ts";
import { mount } from "#platform/http/mount.ts";
import { createRequestLog } from "#platform/requests/request-log.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { openTelemetry } from "#platform/telemetry/telemetry.ts";
import { openAuthorization } from "./index.ts";
import { OWNER_ROLE_ID } from "./definitions/general-roles.ts";

export const VERSION = "api-version=2022-03-01-preview";
export const CONTRIBUTOR = "b24988ac-6180-42a0-ab88-20f7382dd24c";
export const READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
export const WRITER = "00000000-0000-4000-8000-00000000000a";

/** Principals by name; the id of one is its name. `loop` and `inner` are in each other. */
const kinds: Readonly<Record<string, Caller["kind"]>> = {
  owner: "User",
  jane: "User",
  robot: "ServicePrincipal",
  team: "Group",
  loop: "Group",
  inner: "Group",
};
const groups: Readonly<Record<string, readonly string[]>> = {
  jane: ["team", "inner", "loop"],
};

const books: RoleDefinition = {
  id: WRITER,
  roleName: "Book Writer",
  description: "",
  type: "BuiltInRole",
  assignableScopes: ["/"],
  permissions: [
    {
      actions: ["Svc.Storage/books/read"],
      notActions: [],
      dataActions: ["Svc.Storage/books/*"],
      notDataActions: ["Svc.Storage/books/*/burn/action"],
    },
  ],
};

export function callerNamed(objectId: string): Caller {
  return { objectId, kind: kinds[objectId] ?? "User", tenantId: "t", scheme: "bearer" };
}

/** The routes on an empty store, without a port; `owner` owns the root. The token is the name. */
export async function authorization(location: StoreLocation = { kind: "memory" }) {
  const known = { ...kinds };
  const disabled = new Set<string>();
  const isEnabled = (id: string, without?: string): boolean => {
    if (id === without || disabled.has(id) || known[id] === undefined) return false;
    if (known[id] !== "Group") return true;
    return Object.keys(groups).some((one) => groups[one]?.includes(id) && isEnabled(one, without));
  };
  const log = pino({ level: "silent" });
  const service = await openAuthorization({
    location,
    environment: realEnvironment,
    log,
    roles: [books],
    principalKind: (id) => known[id],
    isEnabled,
    groupsOf: (id) => groups[id] ?? [],
  });
  await service.ensureGrants([
    { principalObjectId: "owner", principalType: "User", roleDefinitionId: OWNER_ROLE_ID },
  ]);
  const app = createListener({
    name: "gateway",
    tls: undefined,
    environment: realEnvironment,
    log,
    requests: createRequestLog(realEnvironment),
    telemetry: await openTelemetry({ otlpEndpoint: undefined, version: "1" }),
  });
  await mount(app, "gateway", service, {
    verifyToken: async (token) => callerNamed(token),
    findApiKey: async () => undefined,
    audiences: () => [],
    authorizationUri: () => "http://idp/authorize",
  });

  async function ask(
    who: string,
    method: "DELETE" | "GET" | "POST" | "PUT",
    path: string,
    body?: object,
  ) {
    const url = path.includes("api-version")
      ? path
      : `${path}${path.includes("?") ? "&" : "?"}${VERSION}`;
    const headers = { authorization: `Bearer ${who}` };
    const answer = await app.inject({ method, url, headers, ...(body && { body }) });
    const json: unknown = answer.body === "" ? undefined : answer.json();
    return { status: answer.statusCode, json, code: codeOf(json), headers: answer.headers };
  }

  async function grant(who: string, change: object = {}) {
    const body = {
      principalObjectId: "jane",
      principalType: "User",
      roleDefinitionId: WRITER,
      scope: "/shelves/1",
      ...change,
    };
    return ask(who, "POST", "/authorization/roleAssignments", body);
  }

  return { app, service, ask, grant, known, disabled };
}

function codeOf(json: unknown): string | undefined {
  return (json as { error?: { code: string } } | undefined)?.error?.code;
}

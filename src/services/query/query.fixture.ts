import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import type { AccessRequest } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { realEnvironment } from "#platform/environment.ts";
import { createOutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { createListener } from "#platform/http/listener.ts";
import { mount } from "#platform/http/mount.ts";
import { createRequestLog } from "#platform/requests/request-log.ts";
import type { ListenerName } from "#platform/service.ts";
import { openTelemetry } from "#platform/telemetry/telemetry.ts";
import { openQuery, type QueryOptions, type RoleGrant } from "./index.ts";
import { queryRoles } from "./roles.ts";

const SCOPE = "/subscriptions/s/resourceGroups/local/providers/Svc.Query/clusters/atoll";

/** Who may what in these tests: the token is the name; a role and the scope that it is for. */
const ROLES: Readonly<Record<string, readonly [role: string, scope: string]>> = {
  admin: ["Query Admin", SCOPE],
  user: ["Query User", `${SCOPE}/databases/db`],
  viewer: ["Query Viewer", `${SCOPE}/databases/db`],
  ingestor: ["Query Ingestor", `${SCOPE}/databases/db/tables/T`],
  monitor: ["Query Monitor", SCOPE],
};

function decide({ objectId }: Caller, { action, scope }: AccessRequest): boolean {
  const [name, at] = ROLES[objectId] ?? ["", ""];
  const role = queryRoles.find(({ roleName }) => roleName === name);
  if (role === undefined || !`${scope}/`.startsWith(`${at}/`)) return false;
  return (
    role.permissions[0]?.dataActions.some((one) => {
      return one === action || (one.endsWith("*") && action.startsWith(one.slice(0, -1)));
    }) === true
  );
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: unknown;
}

export interface TestQuery extends AsyncDisposable {
  readonly apps: Readonly<Record<"ingest" | "query", FastifyInstance>>;
  readonly grants: RoleGrant[];
  /** POST of a query or a command as somebody. */
  readonly post: (path: string, body: object, who?: string) => Promise<Got>;
  /** The rows of a command's answer. */
  readonly command: (csl: string, who?: string) => Promise<unknown[][]>;
  /** The rows of a query's first table. */
  readonly query: (csl: string, who?: string) => Promise<unknown[][]>;
}

/** The query service behind its listeners, with a database `db`, in memory. */
export async function startQuery(options: Partial<QueryOptions> = {}): Promise<TestQuery> {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-query-"));
  const grants: RoleGrant[] = [];
  const log = pino({ level: "silent" });
  const environment = realEnvironment;
  const service = await openQuery({
    location: { kind: "memory" },
    data: { dir: folder.path, inMemory: true },
    environment,
    log,
    decide,
    outbound: createOutboundFetch({ allowedHosts: [], allowLoopback: true }),
    principals: principalsOf(grants),
    addresses: {
      cluster: () => "http://cluster.test",
      ingestion: () => "http://ingestion.test",
      auth: () => "http://auth.test",
      queryPage: () => "http://auth.test/console/query",
      allowedOrigins: () => ["http://auth.test"],
    },
    clusterScope: SCOPE,
    version: "1.2.3",
    database: "db",
    limits: {
      recordsMax: 500_000,
      bytesMax: 67_108_864,
      queryTimeoutMs: 60_000,
      commandTimeoutMs: 60_000,
      queriesMax: 4,
      ingestBytesMax: 1_000_000,
    },
    resources: { threads: 2, memoryLimit: "512MB", queuedMax: 16 },
    ...options,
  });
  const telemetry = await openTelemetry({ otlpEndpoint: undefined, version: "test" });
  const listener = async (name: ListenerName) => {
    const requests = createRequestLog(environment);
    const app = createListener({ name, tls: undefined, environment, log, requests, telemetry });
    await mount(app, name, service, {
      verifyToken: async (token) => callerNamed(token),
      findApiKey: async () => undefined,
      audiences: () => [],
      authorizationUri: () => "http://auth.test/authorize",
    });
    return app;
  };
  const apps = { query: await listener("query"), ingest: await listener("ingest") };
  const asking = asker(apps.query);
  return {
    apps,
    grants,
    ...asking,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(apps).map((app) => app.close()));
      await service.stop();
      await telemetry.close();
      await folder.remove();
    },
  };
}

function callerNamed(objectId: string): Caller {
  return { objectId, kind: "User", tenantId: "t", scheme: "bearer" };
}

function asker(app: FastifyInstance) {
  async function post(path: string, body: object, who = "admin"): Promise<Got> {
    const headers = { authorization: `Bearer ${who}` };
    const answer = await app.inject({ method: "POST", url: path, headers, body });
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() };
  }

  async function rows(path: string, csl: string, who?: string): Promise<unknown[][]> {
    const { status, json } = await post(path, { db: "db", csl }, who);
    if (status !== 200) throw new Error(`${csl}: ${JSON.stringify(json)}`);
    return (json as { Tables: { Rows: unknown[][] }[] }).Tables[0]?.Rows ?? [];
  }

  return {
    post,
    command: (csl: string, who?: string) => rows("/v1/rest/mgmt", csl, who),
    query: (csl: string, who?: string) => rows("/v1/rest/query", csl, who),
  };
}

/** Role assignments in a list; everybody with a role above exists. */
function principalsOf(grants: RoleGrant[]): QueryOptions["principals"] {
  return {
    find: (name) =>
      name in ROLES ? { objectId: name, kind: "User", displayName: `The ${name}` } : undefined,
    groupsOf: () => [],
    list: async (ids) => grants.filter(({ roleDefinitionId }) => ids.includes(roleDefinitionId)),
    async grant(_caller, grant) {
      grants.push({ ...grant, id: `g${grants.length}`, principalType: "User" });
    },
    async revoke(_caller, id) {
      grants.splice(
        grants.findIndex((grant) => grant.id === id),
        1,
      );
    },
  };
}

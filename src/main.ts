import { readFile } from "node:fs/promises";
import { openAuthorization, OWNER_ROLE_ID } from "#services/authorization/index.ts";
import { identityRoles, openIdentity } from "#services/identity/index.ts";
import { QUERY_ADMIN_ROLE_ID, queryRoles } from "#services/query/index.ts";
import {
  openStorage,
  STORAGE_DATA_OWNER_ROLE_ID,
  storageRoles,
  type StorageService,
} from "#services/storage/index.ts";
import { TABLES_ADMIN_ROLE_ID, tablesRoles } from "#services/tables/index.ts";
import type { Decide } from "#platform/auth/access.ts";
import type { Settings } from "#platform/config/settings.ts";
import { realEnvironment } from "#platform/environment.ts";
import { removeEndpoints, writeEndpoints, type Endpoints } from "#platform/house/endpoints.ts";
import { openHouse, type House } from "#platform/house/house.ts";
import { houseRoutes, type DescribedService } from "#platform/house/routes.ts";
import { StartError } from "#platform/house/start-error.ts";
import { PUBLIC_AUDIENCES } from "#platform/http/dialect.ts";
import { mount } from "#platform/http/mount.ts";
import { LISTENERS, type ListenerName } from "#platform/service.ts";
import { developmentAccount } from "./development-account.ts";
import { refusePlanned } from "./planned.ts";
import { openQueryService, queryAudiences } from "./query-service.ts";
import { groupScope, RESOURCE_GROUP, subscriptionId } from "./subscription.ts";
import { openTablesService } from "./tables-service.ts";

/** Services that can be left out with `--only`; identity and authorization always run. */
const OPTIONAL_SERVICES = ["storage", "query", "tables"];

/** What the owner of the development credentials may do. */
const FIRST_ROLES = [
  OWNER_ROLE_ID,
  STORAGE_DATA_OWNER_ROLE_ID,
  QUERY_ADMIN_ROLE_ID,
  TABLES_ADMIN_ROLE_ID,
];

/** A running Atoll. */
export interface Atoll {
  readonly endpoints: Endpoints;
  /** Names of the running services. */
  readonly services: readonly string[];
  /** Finishes requests in flight (10 s at most), then lets go of everything. */
  readonly stop: () => Promise<void>;
}

/**
 * Opens every service, hands them to each other, and listens. Resolves when all of them answer.
 *
 * Throws a `StartError` for what the user can put right: a port that is taken, data that another
 * process holds or that a newer version has written.
 */
export async function startAtoll(settings: Settings): Promise<Atoll> {
  const unknown = settings.only.find((name) => !OPTIONAL_SERVICES.includes(name));
  if (unknown !== undefined) {
    throw new StartError(
      `There is no service "${unknown}" for --only; there is ${OPTIONAL_SERVICES.join(", ")}.`,
    );
  }
  const house = await openHouse(settings, realEnvironment, await atollVersion());
  const services: DescribedService[] = [];
  try {
    return await run(house, services);
  } catch (error) {
    await stop(house, services);
    throw error;
  }
}

/** Opens the services into the list given, in the order in which they need each other. */
async function run(house: House, services: DescribedService[]): Promise<Atoll> {
  const { listeners, data, settings } = house;
  let storage: StorageService | undefined;
  const access = await openAccess(house, () => storage);
  services.push(access.identity, access.authorization);
  let ready = false;
  const publish = async () => {
    if (ready) await writeEndpoints(data.dir, describe(house, access, storage));
  };
  const wanted = (name: string) => settings.only.length === 0 || settings.only.includes(name);
  if (wanted("storage")) {
    storage = await openBlobs(house, access, publish);
    services.push(storage);
  }
  if (wanted("query")) {
    services.push(await openQueryService(house, access, groupScope(access.identity.tenantId)));
  }
  if (wanted("tables")) services.push(await openTablesService(house, access));

  await mountAll(house, access, services, { isReady: () => ready, storage });
  await grantFirstRoles(access);
  await listeners.listen();
  ready = true;
  await publish();

  return {
    endpoints: describe(house, access, storage),
    services: services.map(({ name }) => name),
    async stop() {
      ready = false;
      await removeEndpoints(data.dir);
      await stop(house, services);
    },
  };
}

async function stop(house: House, services: readonly DescribedService[]): Promise<void> {
  await house.listeners.close();
  for (const service of services.toReversed()) await service.stop();
  await house.close();
}

type Access = Awaited<ReturnType<typeof openAccess>>;

/** Whoever holds the development credentials owns everything, data included. */
async function grantFirstRoles({ identity, authorization }: Access): Promise<void> {
  const grants = identity.bootstrapOwners.flatMap(({ id, kind }) =>
    FIRST_ROLES.map((roleDefinitionId) => ({
      principalObjectId: id,
      principalType: kind,
      roleDefinitionId,
    })),
  );
  await authorization.ensureGrants(grants);
}

/** Identity and authorization need each other: who is asking, and who may. */
async function openAccess(house: House, storage: () => StorageService | undefined) {
  const { environment, log, settings, listeners } = house;
  const decide: Decide = (caller, request) => authorization.decide(caller, request);
  const identity = await openIdentity({
    location: house.location("identity"),
    serviceDir: await house.data.serviceDir("identity"),
    environment,
    log,
    decide,
    sealer: house.sealer,
    outbound: house.outbound,
    authUrl: () => listeners.url("gateway"),
    resources: () => [
      ...managementAudiences(house),
      ...storageAudiences(house, storage()),
      ...queryAudiences(house),
    ],
    externalIssuers: settings.external_issuers,
    tokenLifetimeS: settings.token_lifetime_s,
    isSecure: settings.tls,
    development: true,
    principalRemoved: (id: string) => authorization.principalRemoved(id),
    principalDisabled: (id: string) => authorization.requireAnotherOwner(id),
  });
  await house.data.serviceDir("authorization");
  const authorization = await openAuthorization({
    location: house.location("authorization"),
    environment,
    log,
    roles: [...identityRoles, ...storageRoles, ...queryRoles, ...tablesRoles],
    principalKind: identity.principalKind,
    isEnabled: identity.isEnabled,
    groupsOf: identity.groupsOf,
  });
  return { identity, authorization };
}

async function openBlobs(
  house: House,
  access: Access,
  keysChanged: () => Promise<void>,
): Promise<StorageService> {
  const { environment, log, outbound, listeners, settings, sealer } = house;
  const dir = await house.data.serviceDir("storage");
  const { name, keys } = developmentAccount(house.isLoopback);
  const service: StorageService = await openStorage({
    location: house.location("storage"),
    dir,
    environment,
    log,
    outbound,
    decide: access.authorization.decide,
    verifyToken: access.identity.verifyToken,
    audiences: () => storageAudiences(house, service),
    listenersOrigins: () => [listeners.url("blob")],
    accounts: keys === undefined ? [] : [{ name, keys }],
    ...(keys === undefined && { ownAccount: name }),
    keysChanged,
    sealer,
    subscriptionId: subscriptionId(access.identity.tenantId),
    resourceGroup: RESOURCE_GROUP,
    // Off this machine a token on plain HTTP is a token given away.
    plainHttpSecrets: house.isLoopback || settings.tls,
  });
  return service;
}

async function mountAll(
  house: House,
  { identity, authorization }: Access,
  services: readonly DescribedService[],
  { isReady, storage }: { isReady: () => boolean; storage: StorageService | undefined },
): Promise<void> {
  const { apps, url } = house.listeners;
  const own = {
    name: "atoll",
    routes: {
      gateway: houseRoutes({
        version: house.version,
        services: () => services,
        isReady,
        decide: authorization.decide,
        requests: house.requests,
        metrics: house.telemetry.metrics,
      }),
    },
    health: () => Promise.resolve({ status: "ok" as const }),
    stop: () => Promise.resolve(),
  };
  for (const service of [own, ...services]) {
    for (const name of LISTENERS) {
      await mount(apps[name], name, service, {
        verifyToken: identity.verifyToken,
        findApiKey: identity.findApiKey,
        audiences: () => audiencesOf(name, house, storage),
        authorizationUri: () => `${url("gateway")}/common/oauth2/authorize`,
      });
    }
  }
  for (const name of LISTENERS) refusePlanned(apps[name], name);
}

function audiencesOf(
  listener: ListenerName,
  house: House,
  storage: StorageService | undefined,
): readonly string[] {
  if (listener === "blob") return storageAudiences(house, storage);
  return listener === "gateway" ? managementAudiences(house) : queryAudiences(house);
}

/** The audiences of tokens: where they are taken, and what the public SDKs ask for. */
function managementAudiences({ listeners }: House): readonly string[] {
  return [listeners.url("gateway"), ...(PUBLIC_AUDIENCES["authorization"] ?? [])];
}

function storageAudiences(
  { listeners }: House,
  storage: StorageService | undefined,
): readonly string[] {
  const blob = listeners.url("blob");
  const accounts = (storage?.accountNames() ?? []).map((name) => `${blob}/${name}`);
  return [blob, ...accounts, ...(PUBLIC_AUDIENCES["storage"] ?? [])];
}

function describe(
  house: House,
  { identity }: Access,
  storage: StorageService | undefined,
): Endpoints {
  const { name: account } = developmentAccount(house.isLoopback);
  const gateway = house.listeners.url("gateway");
  return {
    version: 1,
    pid: process.pid,
    data: house.data.dir,
    gateway,
    console: `${gateway}/console/`,
    auth_url: gateway,
    authorization_base_url: gateway,
    inference_endpoint: gateway,
    jobs_base_url: gateway,
    management_base_url: gateway,
    tables_base_url: gateway,
    search_endpoint: gateway,
    cluster_uri: house.listeners.url("query"),
    ingestion_uri: house.listeners.url("ingest"),
    database: house.settings.query_database,
    account_url: `${house.listeners.url("blob")}/${account}`,
    tenant_id: identity.tenantId,
    subscription_id: subscriptionId(identity.tenantId),
    resource_group: RESOURCE_GROUP,
    ...(house.caFile !== undefined && { ca_file: house.caFile }),
    credentials: {
      ...identity.development,
      storage_account: account,
      storage_key: storage?.accountKey(account) ?? "",
    },
  };
}

async function atollVersion(): Promise<string> {
  const file = new URL("../package.json", import.meta.url);
  const { version }: { version: string } = JSON.parse(await readFile(file, "utf8"));
  return version;
}

import type { FastifyBaseLogger } from "fastify";
import type { Decide } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { describeRoutes } from "#platform/http/openapi.ts";
import type { Sealer } from "#platform/seal.ts";
import type { Service } from "#platform/service.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { ensureOwnClients, ensureTenant } from "./bootstrap.ts";
import type { Context } from "./context.ts";
import { ensureDevelopment, ownersOf, type Development } from "./development.ts";
import { createFormGuard } from "./login/form-guard.ts";
import { createRateLimit } from "./login/rate-limit.ts";
import { isActive } from "./principals/activity.ts";
import { findApiKey } from "./principals/credentials.ts";
import { loadDirectory } from "./principals/directory.ts";
import { KINDS, type Kind, type Principal } from "./principals/principal.ts";
import { identityRoutes } from "./routes.ts";
import { migrations, type IdentityTables } from "./store.ts";
import { withoutSlash } from "./tokens/audiences.ts";
import { createExternalVerifier, type ExternalIssuer } from "./tokens/external.ts";
import { openKeyRing } from "./tokens/key-ring.ts";
import { PUBLISH_AHEAD_S, TOKEN_LIFETIME_MAX_S } from "./tokens/lifetimes.ts";
import { createVerifier } from "./tokens/verify.ts";

export { identityRoles } from "./roles.ts";

export interface IdentityOptions {
  readonly location: StoreLocation;
  /** Folder of this service, for the development credentials. */
  readonly serviceDir: string;
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly decide: Decide;
  readonly sealer: Sealer;
  readonly outbound: OutboundFetch;
  /** Where this server answers; read when it is needed, once it listens. */
  readonly authUrl: () => string;
  /** Audiences that tokens are issued for, besides the server itself. */
  readonly resources: () => readonly string[];
  readonly externalIssuers: readonly ExternalIssuer[];
  /** Seconds, 3600 at most, which is also the default. */
  readonly tokenLifetimeS?: number;
  /** How long a new signing key is published before it signs, in seconds. */
  readonly keyPublishAheadS?: number;
  /** Clients reach this server over TLS. */
  readonly isSecure: boolean;
  /** Make credentials for developing on this machine. */
  readonly development: boolean;
  readonly principalRemoved: (id: string) => Promise<void>;
  /** Asked before a principal is disabled; it stays enabled when this throws. */
  readonly principalDisabled: (id: string) => Promise<void>;
}

export interface Identity extends Service {
  /** The caller that a token stands for; a 401 `Problem` when it is not good for an audience. */
  readonly verifyToken: (token: string, audiences: readonly string[]) => Promise<Caller>;
  readonly findApiKey: (key: string) => Promise<Caller | undefined>;
  readonly principalKind: (id: string) => Kind | undefined;
  /** Whether anybody can act as it: a group has an enabled member. `without` counts as disabled. */
  readonly isEnabled: (id: string, without?: string) => boolean;
  /** By its id, or by the name of a user, a group or a service principal. */
  readonly findPrincipal: (
    name: string,
  ) => Pick<Principal, "displayName" | "id" | "kind" | "name"> | undefined;
  /** All groups that a principal is in, nested ones included. */
  readonly groupsOf: (id: string) => readonly string[];
  readonly tenantId: string;
  /** Undefined unless the option `development` is set. */
  readonly development: Development | undefined;
  /** Who is to own everything at the first start. */
  readonly bootstrapOwners: readonly Pick<Principal, "id" | "kind">[];
  readonly openapi: () => object;
}

/** Opens the service: the authorization server, the principals, and the check of tokens. */
export async function openIdentity(
  options: IdentityOptions & { readonly development: true },
): Promise<Identity & { readonly development: Development }>;
export async function openIdentity(options: IdentityOptions): Promise<Identity>;
export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  const store = await openStore<IdentityTables>({ location: options.location, migrations });
  try {
    return await open(options, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function open(options: IdentityOptions, store: Context["store"]): Promise<Identity> {
  const { environment, sealer, keyPublishAheadS: publishAheadS = PUBLISH_AHEAD_S } = options;
  const directory = await loadDirectory(store.db);
  const context: Context = {
    store,
    environment,
    directory,
    log: options.log,
    decide: options.decide,
    isSecure: options.isSecure,
    tenantId: await ensureTenant({ environment, store }),
    keys: await openKeyRing({ store, sealer, environment, publishAheadS }),
    authUrl: () => withoutSlash(options.authUrl()),
    resources: options.resources,
    tokenLifetimeS: options.tokenLifetimeS ?? TOKEN_LIFETIME_MAX_S,
    forms: createFormGuard(environment),
    attempts: createRateLimit(environment),
    principalRemoved: options.principalRemoved,
    principalDisabled: options.principalDisabled,
  };
  await ensureOwnClients(context);
  const { development: isDevelopment, serviceDir, externalIssuers: issuers, outbound } = options;
  const development = isDevelopment ? await ensureDevelopment(context, serviceDir) : undefined;
  const external = createExternalVerifier({ issuers, outbound, environment });
  const verifier = createVerifier(context, external);
  let describe: (() => object) | undefined;

  return {
    name: "identity",
    routes: {
      async gateway(app) {
        describe = describeRoutes(app, INFO);
        await app.register(identityRoutes(context, verifier));
      },
    },
    verifyToken: verifier.verifyToken,
    findApiKey: (key) => Promise.resolve(findApiKey(context, key)),
    principalKind: (id) => directory.get(id)?.kind,
    isEnabled: (id, without) => isActive(directory, id, without),
    findPrincipal: (name) =>
      directory.get(name.toLowerCase()) ??
      KINDS.map((kind) => directory.findByName(kind, name)).find((found) => found !== undefined),
    groupsOf: directory.groups.groupsOf,
    tenantId: context.tenantId,
    development,
    bootstrapOwners: development === undefined ? [] : ownersOf(context, development),
    openapi: () => describe?.() ?? {},
    health: () => Promise.resolve({ status: context.keys.isReady() ? "ok" : "starting" }),
    async stop() {
      // The first key is written in the background; the store has to be open until then.
      await context.keys.ready.catch(() => undefined);
      await store.close();
    },
  };
}

const INFO = {
  title: "Identity",
  version: "1",
  description: "The authorization server, and the principals that it knows.",
};

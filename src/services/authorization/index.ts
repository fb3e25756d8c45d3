import type { FastifyBaseLogger } from "fastify";
import type { Decide } from "#platform/auth/access.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import type { Environment } from "#platform/environment.ts";
import { describeRoutes } from "#platform/http/openapi.ts";
import type { Service } from "#platform/service.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { createAccessIndex } from "./access/access-index.ts";
import { ensureGrants, removePrincipal, type Grant } from "./assignments/bootstrap.ts";
import { requireAnotherOwner } from "./assignments/owners.ts";
import { createServiceGrants, type ServiceGrants } from "./assignments/service-grants.ts";
import type { Context, PrincipalKind } from "./context.ts";
import { roleOf } from "./definitions/custom-role.ts";
import { GENERAL_ROLES } from "./definitions/general-roles.ts";
import { createRoleRegistry } from "./definitions/role-registry.ts";
import { authorizationRoutes } from "./routes.ts";
import { scopedRoutes } from "./scoped-routes.ts";
import { migrations, type AuthorizationTables } from "./store.ts";
import { createTurns } from "./turns.ts";

export { OWNER_ROLE_ID } from "./definitions/general-roles.ts";

export interface AuthorizationOptions {
  readonly location: StoreLocation;
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  /** The built-in roles of the other services. */
  readonly roles: readonly RoleDefinition[];
  /** Undefined when there is no such principal. */
  readonly principalKind: (objectId: string) => PrincipalKind | undefined;
  /** Whether anybody can act as it: a group has an enabled member. `without` counts as disabled. */
  readonly isEnabled: (objectId: string, without?: string) => boolean;
  /** All groups that a principal is in, nested ones included. */
  readonly groupsOf: (objectId: string) => readonly string[];
}

export interface Authorization extends Service {
  /** The one access decision, called by every service for every operation. */
  readonly decide: Decide;
  /** Forgets what a principal that is gone was allowed. */
  readonly principalRemoved: (objectId: string) => Promise<void>;
  /** Refuses with 400 when nobody could own the root any more without this principal. */
  readonly requireAnotherOwner: (objectId: string) => Promise<void>;
  /** The first grants, made only while there are none at all. */
  readonly ensureGrants: (grants: readonly Grant[]) => Promise<void>;
  /** For services whose own protocol manages who may do what. */
  readonly serviceGrants: ServiceGrants;
  readonly openapi: () => object;
}

/** Opens the service: role assignments, role definitions, and the access decision. */
export async function openAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { environment, principalKind, isEnabled, groupsOf } = options;
  const store = await openStore<AuthorizationTables>({ location: options.location, migrations });
  const custom = await store.db.selectFrom("roleDefinition").selectAll().execute();
  const roles = createRoleRegistry([...GENERAL_ROLES, ...options.roles, ...custom.map(roleOf)]);
  const index = createAccessIndex({
    groupsOf,
    principalExists: (objectId) => principalKind(objectId) !== undefined,
    findRole: roles.findCompiled,
  });
  const assignments = await store.db.selectFrom("roleAssignment").selectAll().execute();
  assignments.forEach(index.add);
  const inTurn = createTurns();
  const principals = { principalKind, isEnabled, groupsOf };
  const context: Context = { store, environment, index, inTurn, roles, ...principals };
  let describe: (() => object) | undefined;

  return {
    name: "authorization",
    routes: {
      async gateway(app) {
        const description = "Role assignments and role definitions.";
        describe = describeRoutes(app, { title: "Authorization", version: "1", description });
        await app.register(authorizationRoutes(context));
        await app.register(scopedRoutes(context));
      },
    },
    decide: index.decide,
    principalRemoved: (objectId) => removePrincipal(context, objectId),
    requireAnotherOwner: (objectId) => context.inTurn(() => requireAnotherOwner(context, objectId)),
    ensureGrants: (grants) => ensureGrants(context, grants),
    serviceGrants: createServiceGrants(context),
    openapi: () => describeScopes(describe?.() ?? {}),
    health: () => Promise.resolve({ status: "ok" }),
    stop: () => store.close(),
  };
}

/** Clients write the scope before `/providers/`; `/scoped/{scope}/` is how it is routed. */
function describeScopes(document: object): object {
  if (!("paths" in document)) return document;
  const paths = Object.entries(document.paths ?? {}).map(([path, operations]) => [
    path.replace("/scoped/{scope}/", "/{scope}/providers/"),
    operations,
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

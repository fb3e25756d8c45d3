import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Caller } from "#platform/auth/caller.ts";
import { requireApiVersion } from "#platform/http/api-version.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { nameIn, nativeName, type Dialect } from "#platform/http/dialect.ts";
import { acceptJson } from "#platform/http/json-body.ts";
import { refuseAsJson } from "#platform/http/json-envelope.ts";
import { Problem } from "#platform/problem.ts";
import { accountScope, permit, requireFound } from "../accounts/management.ts";
import { MANAGEMENT_VERSIONS } from "../accounts/routes.ts";
import type { Context } from "../context.ts";
import * as schema from "./scope-schema.ts";
import { scopeNotFound, type Scope } from "./scopes.ts";

const SCOPES =
  "/subscriptions/:subscriptionId/resourceGroups/:resourceGroupName" +
  "/providers/Svc.Storage/storageAccounts/:accountName/encryptionScopes";
const SCOPE = `${SCOPES}/:scopeName`;
/** Keys are made here, and kept here. */
const SOURCE = "Svc.Storage";

/** `…/storageAccounts/{account}/encryptionScopes`: scopes are made, enabled and disabled. */
export function scopeRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);
    acceptJson(app);
    app.addHook("preParsing", requireApiVersion(MANAGEMENT_VERSIONS));
    app.get(SCOPES, { schema: schema.ListScopes }, async (request) => {
      const { params, query, dialect } = request;
      allow(context, callerOf(request), params, "read");
      refuse("$filter", query.$filter);
      const { $include: include = "All" } = query;
      const found = context.scopes.list(params.accountName);
      const wanted = found.filter(({ state }) => include === "All" || include === state);
      return { value: wanted.map((scope) => present(context, scope, dialect)) };
    });
    app.get(SCOPE, { schema: schema.GetScope }, async (request) => {
      const { params, dialect } = request;
      allow(context, callerOf(request), params, "read");
      return present(context, existing(context, params), dialect);
    });
    app.put(SCOPE, { schema: schema.PutScope }, async (request, reply) => {
      const { params, body, dialect } = request;
      allow(context, callerOf(request), params, "write");
      const isThere = context.scopes.find(params.accountName, params.scopeName) !== undefined;
      const scope = await put(context, params, body);
      return reply.code(isThere ? 200 : 201).send(present(context, scope, dialect));
    });
    app.patch(SCOPE, { schema: schema.PatchScope }, async (request) => {
      const { params, body, dialect } = request;
      allow(context, callerOf(request), params, "write");
      existing(context, params);
      return present(context, await put(context, params, body), dialect);
    });
  };
}

type Named = Omit<schema.NamedScope, "scopeName">;

function allow(context: Context, caller: Caller, at: Named, action: "read" | "write"): void {
  permit(context, caller, at, `encryptionScopes/${action}`);
  requireFound(context, at);
}

function existing({ scopes }: Context, at: schema.NamedScope): Scope {
  const scope = scopes.find(at.accountName, at.scopeName);
  if (scope === undefined) throw scopeNotFound(at.scopeName);
  return scope;
}

/** Without a state the scope keeps its own; a new one is enabled. */
async function put(
  { scopes }: Context,
  { accountName, scopeName }: schema.NamedScope,
  { properties = {} }: schema.ScopeChange,
): Promise<Scope> {
  const {
    source = SOURCE,
    state,
    requireInfrastructureEncryption,
    keyVaultProperties,
  } = properties;
  if (nativeName(source) !== SOURCE) refuse("properties.source", source);
  if (requireInfrastructureEncryption === true) {
    refuse("properties.requireInfrastructureEncryption", "true");
  }
  if (keyVaultProperties !== undefined) refuse("properties.keyVaultProperties", "there");
  const kept = state ?? scopes.find(accountName, scopeName)?.state ?? "Enabled";
  return scopes.put(accountName, scopeName, kept);
}

/** What is not there is refused, and never ignored. */
function refuse(name: string, value: string | undefined): void {
  if (value === undefined) return;
  const said = `${name} is ${value}, which encryption scopes here do not have yet.`;
  throw new Problem(501, "NotImplemented", said);
}

function present(context: Context, scope: Scope, dialect: Dialect) {
  const { account, name, state, createdAt, changedAt } = scope;
  return {
    id: nameIn(dialect, `${accountScope(context, account)}/encryptionScopes/${name}`),
    name,
    type: nameIn(dialect, "Svc.Storage/storageAccounts/encryptionScopes"),
    properties: {
      source: nameIn(dialect, SOURCE),
      state,
      creationTime: createdAt,
      lastModifiedTime: changedAt,
      requireInfrastructureEncryption: false,
    },
  };
}

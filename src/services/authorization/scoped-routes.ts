import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Caller } from "#platform/auth/caller.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { requireApiVersion } from "#platform/http/api-version.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { nameIn, type Dialect } from "#platform/http/dialect.ts";
import { refuseAsJson } from "#platform/http/json-envelope.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "./context.ts";
import { parseFilter } from "./filter.ts";
import {
  createRoleAssignment,
  deleteRoleAssignment,
  findAssignment,
  getRoleAssignment,
  listRoleAssignments,
} from "./role-assignments.ts";
import {
  deleteRoleDefinition,
  getRoleDefinition,
  listRoleDefinitions,
  putRoleDefinition,
} from "./role-definitions.ts";
import { API_VERSIONS, presentRole } from "./routes.ts";
import * as schema from "./schema.ts";
import { covers, parseScope, scopeKey } from "./scopes.ts";
import type { RoleAssignmentRow } from "./store.ts";

const VERSIONS = [...API_VERSIONS, "2018-07-01", "2020-10-01-preview", "2022-05-01-preview"];

/** `{scope}/providers/Svc.Authorization/*`: the same store under the resource-scoped interface. */
export function scopedRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);
    app.addHook("preParsing", requireApiVersion(VERSIONS));
    assignmentRoutes(app, context);
    definitionRoutes(app, context);
  };
}

type App = Parameters<FastifyPluginAsyncTypebox>[0];

function assignmentRoutes(app: App, context: Context): void {
  const assignments = "/scoped/:scope/Svc.Authorization/roleAssignments";
  app.put(`${assignments}/:id`, { schema: schema.ScopedPutAssignment }, async (request, reply) => {
    const { params, body, dialect } = request;
    const { principalId, principalType = "Unknown", roleDefinitionId } = body.properties;
    const grant = {
      principalObjectId: principalId,
      principalType,
      roleDefinitionId,
      scope: params.scope,
    };
    const row = await putAssignment(context, callerOf(request), params.id, grant);
    return reply.code(201).send(presentScoped(row, dialect));
  });
  app.get(assignments, { schema: schema.ScopedList }, async (request) => {
    const scope = parseScope(request.params.scope);
    const filter = parseFilter(context, request.query.$filter, scope);
    const related = aboveOrBelow(scope);
    const rows = await listRoleAssignments(
      context,
      callerOf(request),
      (row) => related(row) && filter(row),
    );
    return { value: rows.map((row) => presentScoped(row, request.dialect)) };
  });
  app.get(`${assignments}/:id`, { schema: schema.ScopedById }, async (request) => {
    const row = await getRoleAssignment(context, callerOf(request), request.params.id);
    return presentScoped(row, request.dialect);
  });
  app.delete(`${assignments}/:id`, { schema: schema.ScopedById }, async (request, reply) => {
    const deleted = await deleteIfThere(context, callerOf(request), request.params.id);
    if (deleted === undefined) return reply.code(204).send();
    return presentScoped(deleted, request.dialect);
  });
}

function definitionRoutes(app: App, context: Context): void {
  const definitions = "/scoped/:scope/Svc.Authorization/roleDefinitions";
  app.get(definitions, { schema: schema.ScopedList }, async (request) => {
    const { query, params } = request;
    const scope = parseScope(params.scope);
    const roles = listRoleDefinitions(context, callerOf(request), query.$filter, scope);
    return { value: roles.map((role) => presentDefinition(role, request.dialect)) };
  });
  app.get(`${definitions}/:id`, { schema: schema.ScopedById }, async (request) => {
    const { params } = request;
    const scope = parseScope(params.scope);
    const role = getRoleDefinition(context, callerOf(request), params.id, scope);
    return presentDefinition(role, request.dialect);
  });
  app.put(`${definitions}/:id`, { schema: schema.ScopedPutDefinition }, async (request, reply) => {
    const { params, body } = request;
    const caller = callerOf(request);
    const role = await putRoleDefinition(context, caller, params.id, body.properties);
    return reply.code(201).send(presentDefinition(role, request.dialect));
  });
  app.delete(`${definitions}/:id`, { schema: schema.ScopedById }, async (request, reply) => {
    if (context.roles.find(request.params.id) === undefined) return reply.code(204).send();
    const role = await deleteRoleDefinition(context, callerOf(request), request.params.id);
    return presentDefinition(role, request.dialect);
  });
}

/** Here the caller chooses the id, and a second id for the same grant is a conflict. */
async function putAssignment(
  context: Context,
  caller: Caller,
  id: string,
  grant: Parameters<typeof createRoleAssignment>[2],
): Promise<RoleAssignmentRow> {
  const there = await findAssignment(context, id).catch(unlessMissing);
  const wanted = grant.roleDefinitionId.split("/").at(-1)?.toLowerCase();
  if (there !== undefined) {
    const isSame =
      there.scopeKey === scopeKey(parseScope(grant.scope)) &&
      there.roleDefinitionId === wanted &&
      there.principalObjectId === grant.principalObjectId.toLowerCase();
    if (isSame) return getRoleAssignment(context, caller, id);
    throw new Problem(
      403,
      "RoleAssignmentUpdateNotPermitted",
      `The role assignment ${id} exists; its principal, role and scope cannot be changed.`,
    );
  }
  const { assignment, isNew } = await createRoleAssignment(context, caller, grant, id).catch(
    (error: unknown) => {
      throw asBadRequest(error);
    },
  );
  if (isNew) return assignment;
  throw new Problem(
    409,
    "RoleAssignmentExists",
    `The same grant exists as the role assignment ${assignment.id}.`,
  );
}

/** This interface answers 400 where a named role or principal is missing. */
function asBadRequest(error: unknown): unknown {
  if (!(error instanceof Problem) || error.statusCode !== 404) return error;
  const isRole = error.code === "RoleDefinitionNotFound";
  return new Problem(400, isRole ? "RoleDefinitionDoesNotExist" : error.code, error.message);
}

async function deleteIfThere(context: Context, caller: Caller, id: string) {
  try {
    return await deleteRoleAssignment(context, caller, id);
  } catch (error) {
    return unlessMissing(error);
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Problem && error.code === "RoleAssignmentNotFound") return undefined;
  throw error;
}

function aboveOrBelow(scope: string) {
  const key = scopeKey(scope);
  return (row: RoleAssignmentRow) => covers(row.scopeKey, key) || covers(key, row.scopeKey);
}

function presentScoped(row: RoleAssignmentRow, dialect: Dialect) {
  const scope = row.scope === "/" ? "" : row.scope;
  const provider = "/providers/Svc.Authorization";
  return {
    id: `${nameIn(dialect, scope)}${nameIn(dialect, provider)}/roleAssignments/${row.id}`,
    name: row.id,
    type: nameIn(dialect, "Svc.Authorization/roleAssignments"),
    properties: {
      scope: nameIn(dialect, row.scope),
      roleDefinitionId: `${nameIn(dialect, provider)}/roleDefinitions/${row.roleDefinitionId}`,
      principalId: row.principalObjectId,
      principalType: row.principalType,
      createdOn: row.createdOn,
      updatedOn: row.createdOn,
      createdBy: row.createdBy,
      updatedBy: row.createdBy,
    },
  };
}

function presentDefinition(role: RoleDefinition, dialect: Dialect) {
  const type = nameIn(dialect, "Svc.Authorization/roleDefinitions");
  const { id, ...properties } = presentRole(role, dialect);
  return { id: `/providers/${type}/${id}`, name: id, type, properties };
}

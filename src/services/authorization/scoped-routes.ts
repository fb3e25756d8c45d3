import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { requireApiVersion } from "#platform/http/api-version.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { nameIn, type Dialect } from "#platform/http/dialect.ts";
import { refuseAsJson } from "#platform/http/json-envelope.ts";
import type { Context } from "./context.ts";
import { parseFilter } from "./assignments/filter.ts";
import { acceptJson } from "#platform/http/json-body.ts";
import { putRoleDefinition } from "./definitions/role-definitions.ts";
import { API_VERSIONS, presentRole } from "./routes.ts";
import * as schema from "./schema.ts";
import {
  deleteAssignmentAt,
  getAssignmentAt,
  listAssignmentsAt,
  putAssignment,
} from "./assignments/scoped-assignments.ts";
import {
  deleteDefinitionAt,
  getDefinitionAt,
  listDefinitionsAt,
} from "./definitions/scoped-definitions.ts";
import { parseScope } from "./access/scopes.ts";
import type { RoleAssignmentRow } from "./store.ts";

const VERSIONS = [...API_VERSIONS, "2018-07-01", "2020-10-01-preview", "2022-05-01-preview"];

/** `{scope}/providers/Svc.Authorization/*`: the same store under the resource-scoped interface. */
export function scopedRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);
    acceptJson(app);
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
    const at = addressOf(params);
    const put = await putAssignment(context, callerOf(request), at, body.properties);
    return reply.code(put.isNew ? 201 : 200).send(presentScoped(put.assignment, dialect));
  });
  app.get(assignments, { schema: schema.ScopedList }, async (request) => {
    const scope = parseScope(request.params.scope);
    const filter = parseFilter(context, request.query.$filter, scope);
    const rows = await listAssignmentsAt(context, callerOf(request), scope, filter);
    return { value: rows.map((row) => presentScoped(row, request.dialect)) };
  });
  app.get(`${assignments}/:id`, { schema: schema.ScopedById }, async (request) => {
    const row = await getAssignmentAt(context, callerOf(request), addressOf(request.params));
    return presentScoped(row, request.dialect);
  });
  app.delete(`${assignments}/:id`, { schema: schema.ScopedById }, async (request, reply) => {
    const at = addressOf(request.params);
    const deleted = await deleteAssignmentAt(context, callerOf(request), at);
    if (deleted === undefined) return reply.code(204).send();
    return presentScoped(deleted, request.dialect);
  });
}

function definitionRoutes(app: App, context: Context): void {
  const definitions = "/scoped/:scope/Svc.Authorization/roleDefinitions";
  app.get(definitions, { schema: schema.ScopedList }, async (request) => {
    const { query, params } = request;
    const scope = parseScope(params.scope);
    const roles = listDefinitionsAt(context, callerOf(request), scope, query.$filter);
    return { value: roles.map((role) => presentDefinition(role, request.dialect)) };
  });
  app.get(`${definitions}/:id`, { schema: schema.ScopedById }, async (request) => {
    const role = getDefinitionAt(context, callerOf(request), addressOf(request.params));
    return presentDefinition(role, request.dialect);
  });
  app.put(`${definitions}/:id`, { schema: schema.ScopedPutDefinition }, async (request, reply) => {
    const { params, body } = request;
    parseScope(params.scope);
    const caller = callerOf(request);
    const role = await putRoleDefinition(context, caller, params.id, body.properties);
    return reply.code(201).send(presentDefinition(role, request.dialect));
  });
  app.delete(`${definitions}/:id`, { schema: schema.ScopedById }, async (request, reply) => {
    const at = addressOf(request.params);
    const deleted = await deleteDefinitionAt(context, callerOf(request), at);
    if (deleted === undefined) return reply.code(204).send();
    return presentDefinition(deleted, request.dialect);
  });
}

function addressOf({ scope, id }: { readonly scope: string; readonly id: string }) {
  return { scope: parseScope(scope), id };
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
      description: row.description === "" ? null : row.description,
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

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { requireApiVersion } from "#platform/http/api-version.ts";
import { callerOf } from "#platform/http/authenticate.ts";
import { nameIn, type Dialect } from "#platform/http/dialect.ts";
import { refuseAsJson } from "#platform/http/json-envelope.ts";
import type { Context } from "./context.ts";
import { parseFilter } from "./assignments/filter.ts";
import { listRoleAssignments, requireAssignment } from "./assignments/find-assignments.ts";
import { acceptJson } from "#platform/http/json-body.ts";
import { createRoleAssignment, deleteRoleAssignment } from "./assignments/role-assignments.ts";
import {
  deleteRoleDefinition,
  listRoleDefinitions,
  putRoleDefinition,
  requireDefinition,
} from "./definitions/role-definitions.ts";
import * as schema from "./schema.ts";
import type { RoleAssignmentRow } from "./store.ts";

export const API_VERSIONS = ["2022-03-01-preview", "2022-04-01"];

/** `/authorization/*`: HTTP only, parse, call, present. */
export function authorizationRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);
    acceptJson(app);
    // After authentication: who may not even ask learns nothing about versions.
    app.addHook("preParsing", requireApiVersion(API_VERSIONS));
    assignmentRoutes(app, context);
    definitionRoutes(app, context);
  };
}

type App = Parameters<FastifyPluginAsyncTypebox>[0];

function assignmentRoutes(app: App, context: Context): void {
  const assignments = "/authorization/roleAssignments";
  app.post(assignments, { schema: schema.CreateAssignment }, async (request, reply) => {
    const { body } = request;
    const { assignment, role } = await createRoleAssignment(context, callerOf(request), body);
    const version = request.query["api-version"];
    return reply
      .code(201)
      .header("location", `${assignments}/${assignment.id}?api-version=${version}`)
      .send({ value: [grantedRole(role, request.dialect)] });
  });
  app.get(assignments, { schema: schema.ListAssignments }, async (request) => {
    const filter = parseFilter(context, request.query.$filter, "/");
    const rows = await listRoleAssignments(context, callerOf(request), filter);
    return { value: rows.map((row) => presentAssignment(context, row, request.dialect)) };
  });
  app.get(`${assignments}/:id`, { schema: schema.GetAssignment }, async (request) => {
    const row = await requireAssignment(context, callerOf(request), request.params.id, "read");
    return presentAssignment(context, row, request.dialect);
  });
  app.delete(`${assignments}/:id`, { schema: schema.DeleteAssignment }, async (request, reply) => {
    await deleteRoleAssignment(context, callerOf(request), request.params.id);
    return reply.code(204).send();
  });
}

function definitionRoutes(app: App, context: Context): void {
  const definitions = "/authorization/roleDefinitions";
  app.get(definitions, { schema: schema.ListDefinitions }, async (request) => {
    const roles = listRoleDefinitions(context, callerOf(request), request.query.$filter);
    return { value: roles.map((role) => presentRole(role, request.dialect)) };
  });
  app.get(`${definitions}/:id`, { schema: schema.GetDefinition }, async (request) => {
    const role = requireDefinition(context, callerOf(request), request.params.id, "read");
    return presentRole(role, request.dialect);
  });
  app.put(`${definitions}/:id`, { schema: schema.PutDefinition }, async (request, reply) => {
    const { params, body } = request;
    const role = await putRoleDefinition(context, callerOf(request), params.id, body);
    return reply.code(201).send(presentRole(role, request.dialect));
  });
  app.delete(`${definitions}/:id`, { schema: schema.DeleteDefinition }, async (request, reply) => {
    await deleteRoleDefinition(context, callerOf(request), request.params.id);
    return reply.code(204).send();
  });
}

/** The effective operation patterns of the role, as one list. */
function grantedRole({ id, roleName, permissions }: RoleDefinition, dialect: Dialect) {
  const patterns = permissions.flatMap(({ actions, dataActions }) => [...actions, ...dataActions]);
  return {
    permissions: patterns.map((pattern) => nameIn(dialect, pattern)),
    roleDefinitionId: id,
    roleDefinitionName: roleName,
  };
}

function presentAssignment({ roles }: Context, row: RoleAssignmentRow, dialect: Dialect) {
  return {
    id: row.id,
    principalObjectId: row.principalObjectId,
    principalType: row.principalType,
    roleDefinitionId: row.roleDefinitionId,
    roleDefinitionName: roles.find(row.roleDefinitionId)?.roleName ?? "",
    scope: nameIn(dialect, row.scope),
    description: row.description,
    createdOn: row.createdOn,
    createdBy: row.createdBy,
  };
}

/** A definition with its operations and scopes named as the caller names them. */
export function presentRole(role: RoleDefinition, dialect: Dialect): RoleDefinition {
  const named = (texts: readonly string[]) => texts.map((text) => nameIn(dialect, text));
  return {
    id: role.id,
    roleName: role.roleName,
    description: role.description,
    type: role.type,
    assignableScopes: named(role.assignableScopes),
    permissions: role.permissions.map((permission) => ({
      actions: named(permission.actions),
      notActions: named(permission.notActions),
      dataActions: named(permission.dataActions),
      notDataActions: named(permission.notDataActions),
    })),
  };
}

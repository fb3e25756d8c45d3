import type { Caller } from "#platform/auth/caller.ts";
import type { Permission, RoleDefinition } from "#platform/auth/roles.ts";
import { nativeName } from "#platform/http/dialect.ts";
import { Problem } from "#platform/problem.ts";
import { audit, requireRight, type Context } from "./context.ts";
import { STARS_MAX } from "./patterns.ts";
import type { PermissionRequest, RoleDefinitionRequest } from "./schema.ts";
import { parseScope } from "./scopes.ts";
import type { RoleDefinitionRow } from "./store.ts";

export const CUSTOM_ROLES_MAX = 2000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OPERATION = /^[\w.*-]+(\/[\w.*-]+)*$/;
const FILTER = /^(roleName|type) eq '((?:[^']|'')*)'$/i;

/** The definition, for a caller who may read definitions at the scope. */
export function getRoleDefinition(
  context: Context,
  caller: Caller,
  id: string,
  scope = "/",
): RoleDefinition {
  requireRight(context, caller, "roleDefinitions", { verb: "read", scope });
  return existing(context, id);
}

export function listRoleDefinitions(
  context: Context,
  caller: Caller,
  filter: string | undefined,
  scope = "/",
): readonly RoleDefinition[] {
  requireRight(context, caller, "roleDefinitions", { verb: "read", scope });
  if (filter === undefined || /^(atScope\(\)|atScopeAndBelow\(\)|)$/i.test(filter.trim())) {
    return context.roles.list();
  }
  const [, field = "", quoted = ""] = FILTER.exec(filter.trim()) ?? [];
  if (field === "") {
    throw new Problem(
      400,
      "InvalidFilter",
      `The $filter "${filter}" is not understood; it takes roleName or type eq 'value'.`,
    );
  }
  const value = quoted.replaceAll("''", "'").toLowerCase();
  const key = field.toLowerCase() === "type" ? "type" : "roleName";
  return context.roles.list().filter((role) => role[key].toLowerCase() === value);
}

/** Creates a custom role or replaces it. Whoever has it is decided by the new text at once. */
export async function putRoleDefinition(
  context: Context,
  caller: Caller,
  id: string,
  request: RoleDefinitionRequest,
): Promise<RoleDefinition> {
  const role = customRole(id, request);
  for (const scope of role.assignableScopes) {
    requireRight(context, caller, "roleDefinitions", { verb: "write", scope });
  }
  const old = context.roles.find(role.id);
  for (const scope of old?.assignableScopes ?? []) {
    requireRight(context, caller, "roleDefinitions", { verb: "write", scope });
  }
  refuseBuiltIn(old);
  const namesake = context.roles.findByName(role.roleName);
  if (namesake !== undefined && namesake.id !== role.id) {
    throw new Problem(
      409,
      "RoleDefinitionWithSameNameExists",
      `The role ${namesake.id} has the name "${role.roleName}" already.`,
    );
  }
  const customs = context.roles.list().filter(({ type }) => type === "CustomRole").length;
  if (old === undefined && customs >= CUSTOM_ROLES_MAX) {
    throw new Problem(
      400,
      "RoleDefinitionLimitExceeded",
      `There are ${customs} custom roles, and there can be no more than ${CUSTOM_ROLES_MAX}.`,
    );
  }
  await context.store.write(async (transaction) => {
    const { id: key, ...rest } = rowOf(role);
    await transaction
      .insertInto("roleDefinition")
      .values({ id: key, ...rest })
      .onConflict((same) => same.column("id").doUpdateSet(rest))
      .execute();
    const operation = "Svc.Authorization/roleDefinitions/write";
    await audit(transaction, context, caller.objectId, { operation, subject: role });
  });
  context.roles.set(role);
  return role;
}

export async function deleteRoleDefinition(
  context: Context,
  caller: Caller,
  id: string,
): Promise<RoleDefinition> {
  const role = existing(context, id);
  for (const scope of role.assignableScopes) {
    requireRight(context, caller, "roleDefinitions", { verb: "delete", scope });
  }
  refuseBuiltIn(role);
  await context.store.write(async (transaction) => {
    const inUse = await transaction
      .selectFrom("roleAssignment")
      .select("id")
      .where("roleDefinitionId", "=", role.id)
      .executeTakeFirst();
    if (inUse !== undefined) {
      throw new Problem(
        409,
        "RoleDefinitionHasAssignments",
        `The role ${role.roleName} is still assigned, by ${inUse.id}; remove that first.`,
      );
    }
    await transaction.deleteFrom("roleDefinition").where("id", "=", role.id).execute();
    const operation = "Svc.Authorization/roleDefinitions/delete";
    await audit(transaction, context, caller.objectId, { operation, subject: role });
  });
  context.roles.remove(role.id);
  return role;
}

function existing({ roles }: Context, id: string): RoleDefinition {
  const role = roles.find(id);
  if (role !== undefined) return role;
  throw new Problem(404, "RoleDefinitionNotFound", `There is no role definition ${id}.`);
}

function refuseBuiltIn(role: RoleDefinition | undefined): void {
  if (role?.type !== "BuiltInRole") return;
  throw new Problem(
    403,
    "BuiltInRoleReadOnly",
    `${role.roleName} is a built-in role and cannot be changed.`,
  );
}

function customRole(id: string, request: RoleDefinitionRequest): RoleDefinition {
  if (!UUID.test(id)) {
    throw new Problem(400, "InvalidRoleDefinitionId", `The id "${id}" is not a UUID.`);
  }
  return {
    id: id.toLowerCase(),
    roleName: request.roleName,
    description: request.description ?? "",
    type: "CustomRole",
    assignableScopes: request.assignableScopes.map(parseScope),
    permissions: request.permissions.map(permission),
  };
}

function permission(request: PermissionRequest): Permission {
  return {
    actions: (request.actions ?? []).map(pattern),
    notActions: (request.notActions ?? []).map(pattern),
    dataActions: (request.dataActions ?? []).map(pattern),
    notDataActions: (request.notDataActions ?? []).map(pattern),
  };
}

function pattern(text: string): string {
  const stars = text.split("*").length - 1;
  if (OPERATION.test(text) && stars <= STARS_MAX) return nativeName(text);
  throw new Problem(
    400,
    "InvalidActionPattern",
    `"${text}" is not an operation such as Svc.Storage/*/read with at most ${STARS_MAX} stars.`,
  );
}

function rowOf(role: RoleDefinition): RoleDefinitionRow {
  return {
    id: role.id,
    roleName: role.roleName,
    description: role.description,
    assignableScopes: JSON.stringify(role.assignableScopes),
    permissions: JSON.stringify(role.permissions),
  };
}

/** The reverse of `rowOf`, for the rows that this service has written itself. */
export function roleOf(row: RoleDefinitionRow): RoleDefinition {
  return {
    id: row.id,
    roleName: row.roleName,
    description: row.description,
    type: "CustomRole",
    assignableScopes: JSON.parse(row.assignableScopes),
    permissions: JSON.parse(row.permissions),
  };
}

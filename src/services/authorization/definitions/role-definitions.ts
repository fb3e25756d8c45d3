import type { Caller } from "#platform/auth/caller.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { Problem } from "#platform/problem.ts";
import { audit, hasRight, requireRight, requireRightSomewhere, type Context } from "../context.ts";
import { customRole, rowOf } from "./custom-role.ts";
import { checkDefinitionId } from "../identifiers.ts";
import type { RoleDefinitionRequest } from "../schema.ts";
import { covers, scopeKey } from "../access/scopes.ts";

export const CUSTOM_ROLES_MAX = 2000;

const FILTER = /^(roleName|type) eq '((?:[^']|'')*)'$/i;

type Verb = "delete" | "read" | "write";

/**
 * The definition, for a caller who may do this with it. Whoever may do it nowhere, or cannot even
 * read this one, does not learn whether it exists.
 */
export function requireDefinition(
  context: Context,
  caller: Caller,
  id: string,
  verb: "delete" | "read",
): RoleDefinition {
  requireRightSomewhere(context, caller, "roleDefinitions", verb);
  const role = context.roles.find(id);
  if (role === undefined || !mayRead(context, caller, role)) throw definitionNotFound(id);
  if (verb === "delete") requireRightsOver(context, caller, role, verb);
  return role;
}

export function definitionNotFound(id: string): Problem {
  return new Problem(404, "RoleDefinitionNotFound", `There is no role definition ${id}.`);
}

/** The definitions that the caller may read, general ones first. */
export function listRoleDefinitions(
  context: Context,
  caller: Caller,
  filter: string | undefined,
): readonly RoleDefinition[] {
  requireRightSomewhere(context, caller, "roleDefinitions", "read");
  const matches = parseDefinitionFilter(filter);
  return context.roles.list().filter((role) => matches(role) && mayRead(context, caller, role));
}

/** Built-in roles are for whoever may read any; a custom one is read where it may be assigned. */
function mayRead(context: Context, caller: Caller, role: RoleDefinition): boolean {
  return (
    role.type === "BuiltInRole" ||
    role.assignableScopes.some((scope) =>
      hasRight(context, caller, "roleDefinitions", { verb: "read", scope }),
    )
  );
}

export function parseDefinitionFilter(
  filter: string | undefined,
): (role: RoleDefinition) => boolean {
  if (filter === undefined || /^(atScope\(\)|atScopeAndBelow\(\)|)$/i.test(filter.trim())) {
    return () => true;
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
  return (role) => role[key].toLowerCase() === value;
}

/** Creates a custom role or replaces it. Whoever has it is decided by the new text at once. */
export function putRoleDefinition(
  context: Context,
  caller: Caller,
  id: string,
  request: RoleDefinitionRequest,
): Promise<RoleDefinition> {
  const role = customRole(id, request);
  return context.inTurn(async () => {
    for (const scope of role.assignableScopes) {
      requireRight(context, caller, "roleDefinitions", { verb: "write", scope });
    }
    const old = context.roles.find(role.id);
    // Who may write somewhere must not change by that what is granted elsewhere.
    if (old !== undefined) requireRightsOver(context, caller, old, "write");
    refuseBuiltIn(old);
    refuseNamesake(context, role);
    if (old === undefined) checkLimit(context);
    else await refuseStranded(context, role);
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
  });
}

function refuseNamesake({ roles }: Context, role: RoleDefinition): void {
  const namesake = roles.findByName(role.roleName);
  if (namesake === undefined || namesake.id === role.id) return;
  throw new Problem(
    409,
    "RoleDefinitionWithSameNameExists",
    `The role ${namesake.id} has the name "${role.roleName}" already.`,
  );
}

function checkLimit({ roles }: Context): void {
  const customs = roles.list().filter(({ type }) => type === "CustomRole").length;
  if (customs < CUSTOM_ROLES_MAX) return;
  throw new Problem(
    400,
    "RoleDefinitionLimitExceeded",
    `There are ${customs} custom roles, and there can be no more than ${CUSTOM_ROLES_MAX}.`,
  );
}

/** A role that is assigned somewhere must remain assignable there. */
async function refuseStranded({ store }: Context, role: RoleDefinition): Promise<void> {
  const keys = role.assignableScopes.map(scopeKey);
  const assignments = await store.db
    .selectFrom("roleAssignment")
    .select(["id", "scope", "scopeKey"])
    .where("roleDefinitionId", "=", role.id)
    .execute();
  const stranded = assignments.find((row) => !keys.some((key) => covers(key, row.scopeKey)));
  if (stranded === undefined) return;
  throw new Problem(
    409,
    "RoleDefinitionHasAssignments",
    `The role ${role.roleName} is assigned at ${stranded.scope}, by ${stranded.id}, which ` +
      "assignableScopes no longer cover.",
  );
}

export function deleteRoleDefinition(context: Context, caller: Caller, id: string): Promise<void> {
  return context.inTurn(async () => {
    checkDefinitionId(id);
    await removeDefinition(context, caller, requireDefinition(context, caller, id, "delete"));
  });
}

/** For whoever has the turn and the right. */
export async function removeDefinition(
  context: Context,
  caller: Caller,
  role: RoleDefinition,
): Promise<void> {
  refuseBuiltIn(role);
  const inUse = await context.store.db
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
  await context.store.write(async (transaction) => {
    await transaction.deleteFrom("roleDefinition").where("id", "=", role.id).execute();
    const operation = "Svc.Authorization/roleDefinitions/delete";
    await audit(transaction, context, caller.objectId, { operation, subject: role });
  });
  context.roles.remove(role.id);
}

/** The right must be held wherever the role may be assigned. */
export function requireRightsOver(
  context: Context,
  caller: Caller,
  role: RoleDefinition,
  verb: Verb,
): void {
  const missing = role.assignableScopes.some(
    (scope) => !hasRight(context, caller, "roleDefinitions", { verb, scope }),
  );
  if (!missing) return;
  throw new Problem(
    403,
    "AuthorizationFailed",
    `The principal ${caller.objectId} may not perform the action ` +
      `Svc.Authorization/roleDefinitions/${verb} wherever the role ${role.id} may be assigned.`,
  );
}

function refuseBuiltIn(role: RoleDefinition | undefined): void {
  if (role?.type !== "BuiltInRole") return;
  throw new Problem(
    403,
    "BuiltInRoleReadOnly",
    `${role.roleName} is a built-in role and cannot be changed.`,
  );
}

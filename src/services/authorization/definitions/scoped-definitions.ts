import type { Caller } from "#platform/auth/caller.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { hasRight, requireRight, type Context } from "../context.ts";
import { checkDefinitionId } from "../identifiers.ts";
import {
  definitionNotFound,
  parseDefinitionFilter,
  removeDefinition,
  requireRightsOver,
} from "./role-definitions.ts";
import { covers, scopeKey } from "../access/scopes.ts";

/** `{scope}/providers/Svc.Authorization/roleDefinitions/{id}`. */
export interface DefinitionAddress {
  /** As `parseScope` returns it. */
  readonly scope: string;
  readonly id: string;
}

/** The roles that may be assigned at the scope; with `atScopeAndBelow()` also those below it. */
export function listDefinitionsAt(
  context: Context,
  caller: Caller,
  scope: string,
  filter: string | undefined,
): readonly RoleDefinition[] {
  requireRight(context, caller, "roleDefinitions", { verb: "read", scope });
  const matches = parseDefinitionFilter(filter);
  const isBelowToo = /^atScopeAndBelow\(\)$/i.test(filter?.trim() ?? "");
  return context.roles
    .list()
    .filter(
      (role) =>
        matches(role) && (isAssignableAt(role, scope) || (isBelowToo && isBelow(role, scope))),
    );
}

function isAssignableAt({ assignableScopes }: RoleDefinition, scope: string): boolean {
  return assignableScopes.some((outer) => covers(scopeKey(outer), scopeKey(scope)));
}

function isBelow({ assignableScopes }: RoleDefinition, scope: string): boolean {
  return assignableScopes.some((inner) => covers(scopeKey(scope), scopeKey(inner)));
}

/** Found at, above and below the scopes where it may be assigned: its own id names the root. */
export function getDefinitionAt(
  context: Context,
  caller: Caller,
  { scope, id }: DefinitionAddress,
): RoleDefinition {
  const role = findRelated(context, { scope, id });
  const scopes = [scope, ...(role?.assignableScopes ?? [])];
  const mayRead = scopes.some((at) =>
    hasRight(context, caller, "roleDefinitions", { verb: "read", scope: at }),
  );
  if (!mayRead) requireRight(context, caller, "roleDefinitions", { verb: "read", scope });
  if (role === undefined) throw definitionNotFound(id);
  return role;
}

/** What was deleted; undefined when there is no such definition there. */
export function deleteDefinitionAt(
  context: Context,
  caller: Caller,
  { scope, id }: DefinitionAddress,
): Promise<RoleDefinition | undefined> {
  checkDefinitionId(id);
  return context.inTurn(async () => {
    requireRight(context, caller, "roleDefinitions", { verb: "delete", scope });
    const role = findRelated(context, { scope, id });
    if (role === undefined) return undefined;
    requireRightsOver(context, caller, role, "delete");
    await removeDefinition(context, caller, role);
    return role;
  });
}

function findRelated({ roles }: Context, { scope, id }: DefinitionAddress) {
  const role = roles.find(id);
  if (role === undefined) return undefined;
  return isAssignableAt(role, scope) || isBelow(role, scope) ? role : undefined;
}

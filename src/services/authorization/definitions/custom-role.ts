import type { Permission, RoleDefinition } from "#platform/auth/roles.ts";
import { nativeName } from "#platform/http/dialect.ts";
import { Problem } from "#platform/problem.ts";
import { checkDefinitionId, UUID } from "../identifiers.ts";
import { STARS_MAX } from "../access/patterns.ts";
import type { PermissionRequest, RoleDefinitionRequest } from "../schema.ts";
import { parseScope } from "../access/scopes.ts";
import type { RoleDefinitionRow } from "../store.ts";

const OPERATION = /^[\w.*-]+(\/[\w.*-]+)*$/;
/** With what the native name of every provider begins, in lower case. */
const PROVIDER_PREFIX = "svc.";

/** The role that a request describes, under native names and with every list present. */
export function customRole(id: string, request: RoleDefinitionRequest): RoleDefinition {
  checkDefinitionId(id);
  if (UUID.test(request.roleName)) {
    throw new Problem(400, "InvalidRoleName", `roleName "${request.roleName}" looks like an id.`);
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
  if (!OPERATION.test(text) || stars > STARS_MAX) {
    throw invalidPattern(
      `"${text}" is not an operation such as Svc.Storage/*/read with at most ${STARS_MAX} stars`,
    );
  }
  const native = nativeName(text);
  const [provider = ""] = native.split("/");
  const [literal = ""] = provider.toLowerCase().split("*");
  const isKnown = literal.startsWith(PROVIDER_PREFIX) || PROVIDER_PREFIX.startsWith(literal);
  // A part of a provider's other name matches nothing: what it was to subtract would be granted.
  if (provider.includes("*") && !isKnown) {
    throw invalidPattern(
      `The provider in "${text}" is cut short by a star; write it out, or a star for all`,
    );
  }
  return native;
}

function invalidPattern(reason: string): Problem {
  return new Problem(400, "InvalidActionPattern", `${reason}.`);
}

export function rowOf(role: RoleDefinition): RoleDefinitionRow {
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

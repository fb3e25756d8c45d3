import type { AccessRequest } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import type { CompiledRole } from "./patterns.ts";
import { scopeKey } from "./scopes.ts";

export interface IndexedAssignment {
  readonly id: string;
  readonly principalObjectId: string;
  readonly roleDefinitionId: string;
  readonly scope: string;
}

export interface AccessIndexOptions {
  /** All groups that a principal is in, nested ones included. */
  readonly groupsOf: (objectId: string) => readonly string[];
  readonly principalExists: (objectId: string) => boolean;
  readonly findRole: (roleDefinitionId: string) => CompiledRole | undefined;
}

/** The role assignments in memory, arranged so that one decision takes about a microsecond. */
export interface AccessIndex {
  readonly add: (assignment: IndexedAssignment) => void;
  readonly remove: (assignment: IndexedAssignment) => void;
  readonly decide: (caller: Caller, request: AccessRequest) => boolean;
  /** Whether the caller may perform this control-plane action at one scope at least. */
  readonly allowsSomewhere: (caller: Caller, action: string) => boolean;
}

type RolesByScope = Map<string, string[]>;

/**
 * By principal, then by scope. A request is decided by looking up its scope and each scope above
 * it, so the cost depends on the depth of the scope and not on the number of assignments.
 */
export function createAccessIndex(options: AccessIndexOptions): AccessIndex {
  const byPrincipal = new Map<string, RolesByScope>();

  function allowedAt(principal: string, scopes: readonly string[], request: AccessRequest) {
    const byScope = byPrincipal.get(principal);
    if (byScope === undefined) return false;
    for (const scope of scopes) {
      for (const role of byScope.get(scope) ?? []) {
        if (options.findRole(role)?.allows(request.action, request.plane) === true) return true;
      }
    }
    return false;
  }

  function allowedSomewhere(principal: string, action: string) {
    const roles = new Set([...(byPrincipal.get(principal)?.values() ?? [])].flat());
    return [...roles].some((role) => options.findRole(role)?.allows(action, "control") === true);
  }

  return {
    add({ principalObjectId, roleDefinitionId, scope }) {
      const byScope = byPrincipal.get(principalObjectId) ?? new Map<string, string[]>();
      byPrincipal.set(principalObjectId, byScope);
      const key = scopeKey(scope);
      byScope.set(key, [...(byScope.get(key) ?? []), roleDefinitionId]);
    },
    remove({ principalObjectId, roleDefinitionId, scope }) {
      const byScope = byPrincipal.get(principalObjectId);
      const key = scopeKey(scope);
      const left = byScope?.get(key)?.filter((role) => role !== roleDefinitionId) ?? [];
      if (left.length > 0) byScope?.set(key, left);
      else byScope?.delete(key);
      if (byScope?.size === 0) byPrincipal.delete(principalObjectId);
    },
    decide({ objectId }, { action, scope, plane }) {
      if (!options.principalExists(objectId)) return false;
      const request = { action: action.toLowerCase(), scope, plane };
      const scopes = scopeAndAbove(scopeKey(scope));
      if (allowedAt(objectId, scopes, request)) return true;
      return options.groupsOf(objectId).some((group) => allowedAt(group, scopes, request));
    },
    allowsSomewhere({ objectId }, action) {
      if (!options.principalExists(objectId)) return false;
      const lower = action.toLowerCase();
      const principals = [objectId, ...options.groupsOf(objectId)];
      return principals.some((principal) => allowedSomewhere(principal, lower));
    },
  };
}

/** `/a/b` → `/a/b`, `/a`, and the root. */
function scopeAndAbove(key: string): string[] {
  const scopes = [key];
  for (let at = key.lastIndexOf("/"); at >= 0; at = key.lastIndexOf("/", at - 1)) {
    scopes.push(key.slice(0, at));
    if (at === 0) break;
  }
  return scopes;
}

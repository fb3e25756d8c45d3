import type { RoleDefinition } from "#platform/auth/roles.ts";
import { compileRole, type CompiledRole } from "./patterns.ts";

/** All role definitions, built-in and custom, in memory. */
export interface RoleRegistry {
  readonly find: (id: string) => RoleDefinition | undefined;
  readonly findCompiled: (id: string) => CompiledRole | undefined;
  readonly findByName: (name: string) => RoleDefinition | undefined;
  readonly list: () => readonly RoleDefinition[];
  readonly set: (role: RoleDefinition) => void;
  readonly remove: (id: string) => void;
}

export function createRoleRegistry(roles: readonly RoleDefinition[]): RoleRegistry {
  const byId = new Map<string, { role: RoleDefinition; compiled: CompiledRole }>();
  roles.forEach(set);

  function set(role: RoleDefinition): void {
    byId.set(role.id, { role, compiled: compileRole(role.permissions) });
  }

  function list(): RoleDefinition[] {
    return [...byId.values()].map(({ role }) => role);
  }

  return {
    set,
    list,
    find: (id) => byId.get(id.toLowerCase())?.role,
    findCompiled: (id) => byId.get(id)?.compiled,
    findByName(name) {
      const wanted = name.toLowerCase();
      return list().find(({ roleName }) => roleName.toLowerCase() === wanted);
    },
    remove(id) {
      byId.delete(id);
    },
  };
}

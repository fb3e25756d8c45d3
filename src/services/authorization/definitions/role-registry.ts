import type { RoleDefinition } from "#platform/auth/roles.ts";
import { compileRole, type CompiledRole } from "../access/patterns.ts";

/** All role definitions, built-in and custom, in memory. */
export interface RoleRegistry {
  readonly find: (id: string) => RoleDefinition | undefined;
  readonly findCompiled: (id: string) => CompiledRole | undefined;
  readonly findByName: (name: string) => RoleDefinition | undefined;
  /** By id, by a path that ends in `/roleDefinitions/{id}`, or by name. */
  readonly resolve: (reference: string) => RoleDefinition | undefined;
  readonly list: () => readonly RoleDefinition[];
  readonly set: (role: RoleDefinition) => void;
  readonly remove: (id: string) => void;
}

const PATH_TO_ROLE = /\/roleDefinitions\/([^/]+)$/i;

export function createRoleRegistry(roles: readonly RoleDefinition[]): RoleRegistry {
  const byId = new Map<string, { role: RoleDefinition; compiled: CompiledRole }>();
  roles.forEach(set);

  function set(role: RoleDefinition): void {
    byId.set(role.id, { role, compiled: compileRole(role.permissions) });
  }

  function list(): RoleDefinition[] {
    return [...byId.values()].map(({ role }) => role);
  }

  function find(id: string): RoleDefinition | undefined {
    return byId.get(id.toLowerCase())?.role;
  }

  function findByName(name: string): RoleDefinition | undefined {
    const wanted = name.toLowerCase();
    return list().find(({ roleName }) => roleName.toLowerCase() === wanted);
  }

  return {
    set,
    list,
    find,
    findByName,
    findCompiled: (id) => byId.get(id)?.compiled,
    resolve(reference) {
      const id = PATH_TO_ROLE.exec(reference)?.[1];
      return id === undefined ? (find(reference) ?? findByName(reference)) : find(id);
    },
    remove(id) {
      byId.delete(id);
    },
  };
}

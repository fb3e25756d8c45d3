import type { Directory } from "./directory.ts";

/**
 * Whether anybody can act as the principal: it is enabled and, if it is a group, so is one of its
 * members, through other groups too. `without` counts as disabled.
 */
export function isActive(directory: Directory, id: string, without?: string): boolean {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const principal = directory.get(next);
    if (principal?.enabled !== true || next === without || seen.has(next)) continue;
    if (principal.kind !== "Group") return true;
    seen.add(next);
    open.push(...directory.groups.membersOf(next));
  }
  return false;
}

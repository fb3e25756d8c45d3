import type { Permission } from "#platform/auth/roles.ts";
import type { Plane } from "#platform/auth/access.ts";

/** Whether an operation name, lower case, fits. */
type Matcher = (operation: string) => boolean;

/** More would only serve to make matching slow on purpose. */
export const STARS_MAX = 10;

/** The permissions of one role, ready to be asked many times. */
export interface CompiledRole {
  /** `operation` in lower case. */
  readonly allows: (operation: string, plane: Plane) => boolean;
}

export function compileRole(permissions: readonly Permission[]): CompiledRole {
  const compiled = permissions.map((permission) => ({
    control: rule(permission.actions, permission.notActions),
    data: rule(permission.dataActions, permission.notDataActions),
  }));
  return {
    allows: (operation, plane) => compiled.some((permission) => permission[plane](operation)),
  };
}

function rule(allowed: readonly string[], subtracted: readonly string[]): Matcher {
  const granted = allowed.map(matcher);
  const taken = subtracted.map(matcher);
  return (operation) =>
    granted.some((matches) => matches(operation)) && !taken.some((matches) => matches(operation));
}

/**
 * `*` stands for any run of characters, `/` included; all else is literal, without regard to
 * case. Each part is looked for once from left to right, so the time is linear in the operation.
 */
export function matcher(pattern: string): Matcher {
  const parts = pattern.toLowerCase().split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (operation) => operation === first;
  const shortest = first.length + last.length;
  return (operation) => {
    if (operation.length < shortest) return false;
    if (!operation.startsWith(first) || !operation.endsWith(last)) return false;
    const end = operation.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = operation.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

import { CatalogError } from "./catalog-error.ts";

const NAME_LENGTH_MAX = 1024;
export const DATABASE_NAME_LENGTH_MAX = 260;

/** Letters, digits, underscores; with quotes around it also spaces, dots and dashes. */
const ALLOWED = /^[\p{L}\p{N}_ .-]+$/u;

/** Refuses what the language cannot name. */
export function checkName(entity: string, name: string, lengthMax = NAME_LENGTH_MAX): void {
  if (name.length === 0 || name.length > lengthMax) {
    const rule = `must have 1 to ${lengthMax} characters, not ${name.length}`;
    throw new CatalogError("invalid-name", `The name of a ${entity} ${rule}.`);
  }
  if (!ALLOWED.test(name) || name.trim() !== name) {
    const rule = "may hold letters, digits, underscores, dots, dashes and, inside of it, spaces";
    throw new CatalogError("invalid-name", `The name of a ${entity} ${rule}; '${name}' does not.`);
  }
}

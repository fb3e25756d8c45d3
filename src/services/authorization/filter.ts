import { nativeName } from "#platform/http/dialect.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "./context.ts";
import { covers, scopeKey } from "./scopes.ts";
import type { RoleAssignmentRow } from "./store.ts";

export type AssignmentFilter = (assignment: RoleAssignmentRow) => boolean;

const FILTER_LENGTH_MAX = 4096;

const COMPARISON = /^(principalId|principalObjectId|roleDefinitionId|scope) eq '((?:[^']|'')*)'$/i;
const ASSIGNED_TO = /^assignedTo\('((?:[^']|'')*)'\)$/i;

/**
 * `$filter` of a list: conditions joined by `and`. `atScope()` leaves out what is assigned below
 * `scope`; `assignedTo('…')` also finds what a principal has through its groups.
 */
export function parseFilter(
  { groupsOf }: Pick<Context, "groupsOf">,
  text: string | undefined,
  scope: string,
): AssignmentFilter {
  if (text === undefined || text.trim() === "") return () => true;
  if (text.length > FILTER_LENGTH_MAX) {
    throw invalidFilter(`has ${text.length} characters, more than ${FILTER_LENGTH_MAX}`);
  }
  const conditions = text
    .trim()
    .split(/ +and +/i)
    .map((term) => condition(term, scope, groupsOf));
  return (assignment) => conditions.every((holds) => holds(assignment));
}

function condition(term: string, scope: string, groupsOf: Context["groupsOf"]): AssignmentFilter {
  if (/^atScope\(\)$/i.test(term)) return ({ scopeKey: key }) => covers(key, scopeKey(scope));
  const assignedTo = ASSIGNED_TO.exec(term)?.[1];
  if (assignedTo !== undefined) {
    const principal = unquoted(assignedTo).toLowerCase();
    const principals = new Set([principal, ...groupsOf(principal)]);
    return ({ principalObjectId }) => principals.has(principalObjectId);
  }
  const [, field, quoted] = COMPARISON.exec(term) ?? [];
  if (field === undefined || quoted === undefined) throw invalidFilter(`has the term "${term}"`);
  return comparison(field.toLowerCase(), unquoted(quoted));
}

function comparison(field: string, value: string): AssignmentFilter {
  const lower = value.toLowerCase();
  if (field === "scope") {
    const key = scopeKey(nativeName(value));
    return (assignment) => assignment.scopeKey === key;
  }
  if (field === "roledefinitionid") {
    const id = lower.split("/").at(-1);
    return ({ roleDefinitionId }) => roleDefinitionId === id;
  }
  return ({ principalObjectId }) => principalObjectId === lower;
}

function unquoted(text: string): string {
  return text.replaceAll("''", "'");
}

function invalidFilter(reason: string): Problem {
  return new Problem(
    400,
    "InvalidFilter",
    `The $filter ${reason}; it takes atScope(), assignedTo('id'), and principalId, ` +
      "roleDefinitionId or scope eq 'value', joined by and.",
  );
}

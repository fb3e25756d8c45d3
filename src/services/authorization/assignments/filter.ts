import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { covers, parseScope, scopeKey } from "../access/scopes.ts";
import type { RoleAssignmentRow } from "../store.ts";

export type AssignmentFilter = (assignment: RoleAssignmentRow) => boolean;

const FILTER_LENGTH_MAX = 4096;

/** One condition and the `and` after it, if any. Quoted values may hold anything, `and` too. */
const CONDITION = /([a-z]+(?:\(\)| +eq +'(?:[^']|'')*'|\('(?:[^']|'')*'\)))(?: +and +|$)/iy;
const COMPARISON =
  /^(principalId|principalObjectId|roleDefinitionId|scope) +eq +'((?:[^']|'')*)'$/i;
const ASSIGNED_TO = /^assignedTo\('((?:[^']|'')*)'\)$/i;

/**
 * `$filter` of a list: conditions joined by `and`. `atScope()` leaves out what is assigned below
 * `scope`; `assignedTo('…')` also finds what a principal has through its groups.
 */
export function parseFilter(
  context: Pick<Context, "groupsOf" | "roles">,
  text: string | undefined,
  scope: string,
): AssignmentFilter {
  if (text === undefined || text.trim() === "") return () => true;
  if (text.length > FILTER_LENGTH_MAX) {
    throw invalidFilter(`has ${text.length} characters, more than ${FILTER_LENGTH_MAX}`);
  }
  const conditions = termsOf(text.trim()).map((term) => condition(context, term, scope));
  return (assignment) => conditions.every((holds) => holds(assignment));
}

/** The conditions of `a and b and c`. */
function termsOf(text: string): string[] {
  const terms: string[] = [];
  const next = new RegExp(CONDITION);
  while (next.lastIndex < text.length) {
    const at = next.lastIndex;
    const [, term] = next.exec(text) ?? [];
    if (term === undefined) throw invalidFilter(`is not understood from "${text.slice(at)}" on`);
    terms.push(term);
  }
  return terms;
}

function condition(
  context: Pick<Context, "groupsOf" | "roles">,
  term: string,
  scope: string,
): AssignmentFilter {
  if (/^atScope\(\)$/i.test(term)) return ({ scopeKey: key }) => covers(key, scopeKey(scope));
  const assignedTo = ASSIGNED_TO.exec(term)?.[1];
  if (assignedTo !== undefined) {
    const principal = unquoted(assignedTo).toLowerCase();
    const principals = new Set([principal, ...context.groupsOf(principal)]);
    return ({ principalObjectId }) => principals.has(principalObjectId);
  }
  const [, field, quoted] = COMPARISON.exec(term) ?? [];
  if (field === undefined || quoted === undefined) throw invalidFilter(`has the term "${term}"`);
  const value = unquoted(quoted);
  const lower = value.toLowerCase();
  if (field.toLowerCase() === "scope") {
    const key = scopeKey(parseScope(value));
    return (assignment) => assignment.scopeKey === key;
  }
  if (field.toLowerCase() === "roledefinitionid") {
    const id = context.roles.resolve(value)?.id;
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

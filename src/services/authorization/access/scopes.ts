import { nativeName } from "#platform/http/dialect.ts";
import { Problem } from "#platform/problem.ts";

const SCOPE_LENGTH_MAX = 2048;

/** The scope as it is stored and shown: native names, no slash at the end but for the root's. */
export function parseScope(text: string): string {
  if (text.length > SCOPE_LENGTH_MAX) {
    throw invalidScope(`has ${text.length} characters, more than ${SCOPE_LENGTH_MAX}`);
  }
  if (!text.startsWith("/")) throw invalidScope(`"${text}" does not begin with /`);
  if (text === "/") return text;
  const path = text.endsWith("/") ? text.slice(0, -1) : text;
  const segments = path.slice(1).split("/");
  if (segments.some((segment) => segment === "")) {
    throw invalidScope(`"${text}" has an empty segment`);
  }
  if (segments.some((segment) => /^\.\.?$|[?#%\\]|\p{Cc}/u.test(segment))) {
    throw invalidScope(`"${text}" has a segment that no resource can have`);
  }
  return nativeName(path);
}

function invalidScope(reason: string): Problem {
  return new Problem(
    400,
    "InvalidScope",
    `The scope ${reason}; a scope is a path such as / or /subscriptions/{id}.`,
  );
}

/** The form in which scopes are compared: lower case; the root is the empty string. */
export function scopeKey(scope: string): string {
  const lower = scope.toLowerCase();
  return lower.endsWith("/") ? lower.slice(0, -1) : lower;
}

/** Whether what is assigned at `outer` holds at `inner`; both are keys. */
export function covers(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

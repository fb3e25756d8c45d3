import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import type { Context } from "../context.ts";
import { headerValue, invalidHeader } from "../protocol/header-values.ts";
import type { ContainerRow } from "../store.ts";
import { ACCOUNT_SCOPE } from "./content-key.ts";

const DEFAULT = "x-svc-default-encryption-scope";
const DENY = "x-svc-deny-encryption-scope-override";

/** What a request that creates a container says of the encryption in it. */
export function defaultScope(
  { scopes }: Context,
  { account, headers }: Call,
): Pick<ContainerRow, "defaultEncryptionScope" | "denyEncryptionScopeOverride"> {
  const named = headerValue(headers, DEFAULT);
  const denies = isTrue(headerValue(headers, DENY));
  if (denies && named === undefined) {
    const said = `${DENY} is true, and the request does not name the scope in ${DEFAULT}.`;
    throw new Problem(400, "MissingRequiredHeader", said, { fields: { HeaderName: DEFAULT } });
  }
  const scope = named === undefined || named === ACCOUNT_SCOPE ? null : named;
  // One that cannot be written with is no default.
  if (scope !== null) scopes.keyOf(account, scope);
  return { defaultEncryptionScope: scope, denyEncryptionScopeOverride: denies ? 1 : 0 };
}

function isTrue(value: string | undefined): boolean {
  const said = value?.toLowerCase();
  if (value === undefined || said === "false") return false;
  if (said === "true") return true;
  throw invalidHeader(DENY, value, "which is neither true nor false");
}

import type { Caller } from "#platform/auth/caller.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { isKnown, USER_IMPERSONATION } from "../oauth/target.ts";
import { requirePrincipal } from "../principals/principals.ts";
import { invalid } from "../principals/rules.ts";
import { issueAccessToken } from "../tokens/issue.ts";
import { issuersOf } from "../tokens/issuers.ts";

/** A token for a principal, made by somebody who may impersonate it. */
export async function impersonate(
  context: Context,
  caller: Caller,
  principalId: string,
  audience: string,
) {
  const principal = requirePrincipal(context, principalId);
  if (principal.kind === "Group") throw invalid("A token is not for a group but for its members.");
  if (!principal.enabled) {
    throw new Problem(409, "PrincipalDisabled", `The principal ${principalId} is disabled.`);
  }
  if (!isKnown(context, audience)) {
    const known = [context.authUrl(), ...context.resources()].join(", ");
    throw invalid(`The audience "${audience}" is not known here; there are ${known}.`);
  }
  const isUser = principal.kind === "User";
  const accessToken = await issueAccessToken(context, {
    issuer: issuersOf(context)[0],
    principal,
    // The application that acts for a user here is whoever asked for the token.
    clientId: isUser ? (caller.clientId ?? caller.objectId) : principal.id,
    audience,
    scopes: isUser ? [USER_IMPERSONATION] : undefined,
  });
  context.log.info({ principalId, by: caller.objectId }, "token made by impersonation");
  const nowS = Math.floor(context.environment.now().getTime() / 1000);
  return {
    token_type: "Bearer" as const,
    access_token: accessToken,
    expires_in: context.tokenLifetimeS,
    expires_on: nowS + context.tokenLifetimeS,
  };
}

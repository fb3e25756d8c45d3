import type { Context } from "../context.ts";
import { redirectUrisOf } from "../oauth/redirect-uri.ts";
import type { Principal } from "../principals/principal.ts";
import type { CredentialView, PrincipalView } from "../schema.ts";
import type { CredentialRow } from "../store.ts";

/** A principal as it is shown: never what it proves itself by. */
export function viewOf(context: Context, principal: Principal): PrincipalView {
  const { id, kind, name, displayName, enabled, createdAt } = principal;
  const { externalIssuer, externalSubject } = principal;
  return {
    id,
    kind,
    name,
    displayName,
    enabled,
    createdAt,
    ...(kind === "User" && { hasPassword: principal.passwordHash !== null }),
    ...(kind === "Group" && { members: [...context.directory.groups.membersOf(id)] }),
    ...(kind === "ServicePrincipal" && {
      redirectUris: [...redirectUrisOf(principal, context.authUrl())],
      publicClient: principal.publicClient,
      implicitFlow: principal.implicitFlow,
    }),
    ...(externalIssuer !== null && { externalIssuer }),
    ...(externalSubject !== null && { externalSubject }),
  };
}

export function viewOfCredential(credential: CredentialRow): CredentialView {
  const { id, principalId, description, createdAt, expiresAt } = credential;
  return { id, principalId, description, createdAt, ...(expiresAt !== null && { expiresAt }) };
}

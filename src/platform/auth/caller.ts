/** Who is asking, once the credentials have been verified. */
export interface Caller {
  /** The id that role assignments name. */
  readonly objectId: string;
  readonly kind: "User" | "Group" | "ServicePrincipal";
  readonly tenantId: string;
  /** How the caller proved it, for the request log. Never the credential itself. */
  readonly scheme: "bearer" | "api-key" | "shared-key" | "shared-access-signature";
  /** The application that the token was issued to, when a token was used. */
  readonly clientId?: string;
}

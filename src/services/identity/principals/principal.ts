import { Type } from "typebox";
import { Value } from "typebox/value";
import type { PrincipalRow } from "../store.ts";

export const KINDS = ["User", "Group", "ServicePrincipal"] as const;
export type Kind = (typeof KINDS)[number];

/** Somebody or something that roles are assigned to. */
export interface Principal {
  /** The object id: what role assignments name, and `oid` in tokens. */
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
  readonly displayName: string;
  readonly enabled: boolean;
  /** Users only; null when the user cannot sign in with a password. */
  readonly passwordHash: string | null;
  /** Service principals only, like the two below. */
  readonly redirectUris: readonly string[];
  /** It has no secret, and proves itself by PKCE or at a device's code. */
  readonly publicClient: boolean;
  /** May receive tokens from the authorization endpoint itself. */
  readonly implicitFlow: boolean;
  readonly externalIssuer: string | null;
  readonly externalSubject: string | null;
  readonly createdAt: string;
}

const RedirectUris = Type.Array(Type.String());

export function principalOf(row: PrincipalRow): Principal {
  const kind = KINDS.find((known) => known === row.kind);
  if (kind === undefined) throw new Error(`The principal ${row.id} is of the kind ${row.kind}.`);
  return {
    id: row.id,
    kind,
    name: row.name,
    displayName: row.displayName,
    enabled: row.enabled === 1,
    passwordHash: row.passwordHash,
    redirectUris: Value.Parse(RedirectUris, JSON.parse(row.redirectUris)),
    publicClient: row.publicClient === 1,
    implicitFlow: row.implicitFlow === 1,
    externalIssuer: row.externalIssuer,
    externalSubject: row.externalSubject,
    createdAt: row.createdAt,
  };
}

export function rowOf(principal: Principal): PrincipalRow {
  return {
    id: principal.id,
    kind: principal.kind,
    name: principal.name,
    nameKey: nameKey(principal.name),
    displayName: principal.displayName,
    enabled: principal.enabled ? 1 : 0,
    passwordHash: principal.passwordHash,
    redirectUris: JSON.stringify(principal.redirectUris),
    publicClient: principal.publicClient ? 1 : 0,
    implicitFlow: principal.implicitFlow ? 1 : 0,
    externalIssuer: principal.externalIssuer,
    externalSubject: principal.externalSubject,
    createdAt: principal.createdAt,
  };
}

/** Names are compared without regard to case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

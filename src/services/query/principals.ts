import type { Caller } from "#platform/auth/caller.ts";

/** Somebody who can be given a role. */
export interface Principal {
  readonly objectId: string;
  readonly kind: Caller["kind"];
  readonly displayName: string;
}

/** A role that somebody has at a scope. */
export interface RoleGrant {
  readonly id: string;
  readonly principalObjectId: string;
  readonly principalType: string;
  readonly roleDefinitionId: string;
  readonly scope: string;
  readonly description: string;
}

export type NewGrant = Omit<RoleGrant, "id" | "principalType">;

/** Who there is and who may what; the rest of Atoll knows. */
export interface PrincipalRoles {
  /** By object id, user name, group name or client id. */
  readonly find: (name: string) => Principal | undefined;
  /** Ids of all groups that a principal is in, nested ones included. */
  readonly groupsOf: (objectId: string) => readonly string[];
  /** All grants of these roles. */
  readonly list: (roleDefinitionIds: readonly string[]) => Promise<readonly RoleGrant[]>;
  /** The caller's right to do so has been checked. The same grant twice is one grant. */
  readonly grant: (caller: Caller, grant: NewGrant) => Promise<void>;
  readonly revoke: (caller: Caller, id: string) => Promise<void>;
}

/** By `aaduser=name`, `aadapp=id;tenant`, `aadgroup=name` or an object id. */
export function principalNamed(
  { find }: Pick<PrincipalRoles, "find">,
  written: string,
): Principal | undefined {
  const [, name = ""] = /^(?:(?:aad)?(?:user|app|group)=)?([^;]*)(?:;.*)?$/i.exec(written) ?? [];
  return find(name);
}

import { requireAccess } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import type { Environment } from "#platform/environment.ts";
import type { Store } from "#platform/store/store.ts";
import type { Transaction } from "kysely";
import { Problem } from "#platform/problem.ts";
import type { AccessIndex } from "./access/access-index.ts";
import type { RoleRegistry } from "./definitions/role-registry.ts";
import type { AuthorizationTables } from "./store.ts";
import type { InTurn } from "./turns.ts";

export type PrincipalKind = Caller["kind"];

/** What the operations need from the rest of Atoll: nothing global, nothing hidden. */
export interface Context {
  readonly store: Store<AuthorizationTables>;
  readonly environment: Environment;
  readonly index: AccessIndex;
  /** Every change of assignments and definitions takes a turn. */
  readonly inTurn: InTurn;
  readonly roles: RoleRegistry;
  /** Undefined when there is no such principal. */
  readonly principalKind: (objectId: string) => PrincipalKind | undefined;
  /** Whether anybody can act as it: a group has an enabled member. `without` counts as disabled. */
  readonly isEnabled: (objectId: string, without?: string) => boolean;
  readonly groupsOf: (objectId: string) => readonly string[];
}

type Noun = "roleAssignments" | "roleDefinitions";
type Verb = "delete" | "read" | "write";

function operation(noun: Noun, verb: Verb, scope: string) {
  return { action: `Svc.Authorization/${noun}/${verb}`, scope, plane: "control" } as const;
}

/** Refuses with 403 unless the caller may do this at the scope. */
export function requireRight(
  { index }: Context,
  caller: Caller,
  noun: Noun,
  right: { readonly verb: Verb; readonly scope: string },
): void {
  requireAccess(index.decide, caller, operation(noun, right.verb, right.scope));
}

/**
 * Refuses with 403 unless the caller may do this at one scope at least. Whoever may do it nowhere
 * is not told what exists.
 */
export function requireRightSomewhere(
  { index }: Context,
  caller: Caller,
  noun: Noun,
  verb: Verb,
): void {
  const { action } = operation(noun, verb, "/");
  if (index.allowsSomewhere(caller, action)) return;
  throw new Problem(
    403,
    "AuthorizationFailed",
    `The principal ${caller.objectId} may not perform the action ${action} at any scope; no role ` +
      "assigned to it allows it.",
  );
}

export function hasRight(
  { index }: Context,
  caller: Caller,
  noun: Noun,
  right: { readonly verb: Verb; readonly scope: string },
): boolean {
  return index.decide(caller, operation(noun, right.verb, right.scope));
}

/** Goes into the same transaction as the change that it records. */
export async function audit(
  transaction: Transaction<AuthorizationTables>,
  { environment }: Context,
  caller: string,
  what: { readonly operation: string; readonly subject: object },
): Promise<void> {
  const subject = JSON.stringify(what.subject);
  const at = environment.now().toISOString();
  await transaction
    .insertInto("audit")
    .values({ id: environment.newId(), at, caller, operation: what.operation, subject })
    .execute();
}

import type { Caller } from "#platform/auth/caller.ts";
import { audit, type Context } from "../context.ts";
import { checkLimit } from "./role-assignments.ts";
import { parseScope, scopeKey } from "../access/scopes.ts";
import type { RoleAssignmentRow } from "../store.ts";

export interface ServiceGrant {
  readonly principalObjectId: string;
  readonly roleDefinitionId: string;
  readonly scope: string;
  readonly description: string;
}

/**
 * Role assignments for a service whose own protocol manages who may do what. The service has
 * checked that its caller may change them, and names roles and scopes of its own alone.
 */
export interface ServiceGrants {
  /** All assignments of these roles, oldest first. */
  readonly list: (roleDefinitionIds: readonly string[]) => Promise<readonly RoleAssignmentRow[]>;
  /** The same grant twice is one grant. */
  readonly grant: (caller: Caller, grant: ServiceGrant) => Promise<void>;
  readonly revoke: (caller: Caller, id: string) => Promise<void>;
}

export function createServiceGrants(context: Context): ServiceGrants {
  const { store, index, inTurn } = context;
  return {
    list: (roleDefinitionIds) =>
      store.db
        .selectFrom("roleAssignment")
        .selectAll()
        .where("roleDefinitionId", "in", roleDefinitionIds)
        .orderBy("createdOn")
        .orderBy("id")
        .execute(),
    grant: (caller, grant) => inTurn(() => add(context, caller, grant)),
    revoke: (caller, id) =>
      inTurn(async () => {
        const found = await store.db
          .selectFrom("roleAssignment")
          .selectAll()
          .where("id", "=", id)
          .executeTakeFirst();
        if (found === undefined) return;
        await store.write(async (transaction) => {
          await transaction.deleteFrom("roleAssignment").where("id", "=", id).execute();
          const operation = "Svc.Authorization/roleAssignments/delete";
          await audit(transaction, context, caller.objectId, { operation, subject: found });
        });
        index.remove(found);
      }),
  };
}

async function add(context: Context, caller: Caller, grant: ServiceGrant): Promise<void> {
  const { store, environment, index, principalKind } = context;
  const principalType = principalKind(grant.principalObjectId);
  if (principalType === undefined) throw new Error(`No principal ${grant.principalObjectId}.`);
  const scope = parseScope(grant.scope);
  const row: RoleAssignmentRow = {
    id: environment.newId(),
    principalObjectId: grant.principalObjectId,
    principalType,
    roleDefinitionId: grant.roleDefinitionId,
    scope,
    scopeKey: scopeKey(scope),
    description: grant.description,
    createdOn: environment.now().toISOString(),
    createdBy: caller.objectId,
  };
  const same = await store.db
    .selectFrom("roleAssignment")
    .select("id")
    .where("principalObjectId", "=", row.principalObjectId)
    .where("roleDefinitionId", "=", row.roleDefinitionId)
    .where("scopeKey", "=", row.scopeKey)
    .executeTakeFirst();
  if (same !== undefined) return;
  await checkLimit(context);
  await store.write(async (transaction) => {
    await transaction.insertInto("roleAssignment").values(row).execute();
    const operation = "Svc.Authorization/roleAssignments/write";
    await audit(transaction, context, caller.objectId, { operation, subject: row });
  });
  index.add(row);
}

import { audit, type Context } from "../context.ts";
import { requireAnotherOwner } from "./owners.ts";
import { scopeKey } from "../access/scopes.ts";
import type { RoleAssignmentRow } from "../store.ts";

export interface Grant {
  readonly principalObjectId: string;
  readonly principalType: string;
  readonly roleDefinitionId: string;
}

/** Whoever is named in the audit for what nobody asked for. */
const ATOLL = "atoll";

/**
 * Makes the first grants, at the root. Only while there is not a single assignment: a grant that
 * somebody has taken back does not return with the next start.
 */
export function ensureGrants(context: Context, grants: readonly Grant[]): Promise<void> {
  const { store, environment, index } = context;
  const rows = grants.map((grant): RoleAssignmentRow => ({
    id: environment.newId(),
    principalObjectId: grant.principalObjectId,
    principalType: grant.principalType,
    roleDefinitionId: grant.roleDefinitionId,
    scope: "/",
    scopeKey: scopeKey("/"),
    description: "",
    createdOn: environment.now().toISOString(),
    createdBy: ATOLL,
  }));
  return context.inTurn(async () => {
    const any = await store.db.selectFrom("roleAssignment").select("id").executeTakeFirst();
    if (any !== undefined || rows.length === 0) return;
    await store.write(async (transaction) => {
      await transaction.insertInto("roleAssignment").values(rows).execute();
      const what = { operation: "Svc.Authorization/roleAssignments/write", subject: rows };
      await audit(transaction, context, ATOLL, what);
    });
    rows.forEach(index.add);
  });
}

/**
 * An assignment does not outlive its principal. When this is asked before the principal is deleted,
 * the last owner of the root is refused with nothing changed; afterwards it is too late for that.
 */
export function removePrincipal(context: Context, objectId: string): Promise<void> {
  const { store, index } = context;
  return context.inTurn(async () => {
    // Also for one without assignments: it may be the last member of a group that is an owner.
    if (context.principalKind(objectId) !== undefined) await requireAnotherOwner(context, objectId);
    const rows = await store.db
      .selectFrom("roleAssignment")
      .selectAll()
      .where("principalObjectId", "=", objectId)
      .execute();
    if (rows.length === 0) return;
    await store.write(async (transaction) => {
      await transaction
        .deleteFrom("roleAssignment")
        .where("principalObjectId", "=", objectId)
        .execute();
      const what = { operation: "Svc.Authorization/roleAssignments/delete", subject: rows };
      await audit(transaction, context, ATOLL, what);
    });
    rows.forEach(index.remove);
  });
}

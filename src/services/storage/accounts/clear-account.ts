import type { Context } from "../context.ts";

/** Deletes what an account has: containers and all in them, properties, encryption scopes. */
export async function clearAccount(
  { catalog, scopes, store }: Pick<Context, "catalog" | "scopes" | "store">,
  account: string,
): Promise<void> {
  // Once this is through, everything that was decided before is there to be read.
  await catalog.commit({ kind: "all", changes: [] });
  const names = await store.db
    .selectFrom("container")
    .select("name")
    .where("account", "=", account)
    .execute();
  for (const { name } of names) {
    await catalog.useContainer(account, name, async (entry) => {
      const row = entry.assigned;
      if (row === undefined) return;
      await catalog.change(entry, undefined, { kind: "container-deleted", id: row.id });
    });
  }
  await catalog.useService(account, async (entry) => {
    if (entry.assigned === undefined) return;
    await catalog.change(entry, undefined, { kind: "service-deleted", account });
  });
  await scopes.removeAll(account);
}

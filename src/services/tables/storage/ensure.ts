import type { Context } from "../context.ts";
import { BUILT_IN_TABLES } from "../definitions/built-in.ts";
import type { TableDefinition } from "../definitions/types.ts";
import { DAY_MS, RESTORABLE_DAYS } from "../retention/restore.ts";
import { insertRows } from "./insert.ts";
import { ensurePhysical, rowsOf } from "./physical.ts";
import { quoted, sql, writerOf, type Writer } from "./sql.ts";

/** Makes the tables that are missing, and the rows without which nothing can be written. */
export async function ensureTables(context: Context): Promise<void> {
  const { store, dialect, catalog } = context;
  await store.write(async (transaction) => {
    const writer = writerOf(transaction, dialect);
    catalog.replace([...BUILT_IN_TABLES, ...(await definedByUsers(writer))]);
    for (const table of catalog.tables()) await ensurePhysical(writer, table);
    const [version] = await writer.rows(sql("select value from row_version"));
    if (version === undefined) await writer.run(sql("insert into row_version values (?)", [0]));
    await ensureBusinessUnit(context, writer);
    await forgetDeleted(context, writer);
  });
}

/** What was deleted too long ago to be restored; whoever follows changes has had the time. */
async function forgetDeleted({ environment }: Context, writer: Writer): Promise<void> {
  const oldest = new Date(environment.now().getTime() - RESTORABLE_DAYS * DAY_MS);
  await writer.run(sql("delete from deleted_row where deleted_on < ?", [oldest.toISOString()]));
}

/** A table that a user has extended takes the place of the one that comes with the service. */
async function definedByUsers(writer: Writer): Promise<readonly TableDefinition[]> {
  const rows = await writer.rows(sql("select definition from table_definition"));
  return rows.map((row): TableDefinition => JSON.parse(String(row["definition"])));
}

async function ensureBusinessUnit(context: Context, writer: Writer): Promise<void> {
  const { catalog, organization, environment } = context;
  const table = catalog.table("businessunit");
  if (table === undefined) throw new Error("There is no table of business units.");
  const id = organization.businessUnitId;
  const known = await writer.rows(
    sql(`select 1 as one from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`, [id]),
  );
  if (known.length > 0) return;
  const now = `${environment.now().toISOString().slice(0, 19)}Z`;
  await insertRows(writer, table, [
    {
      businessunitid: id,
      name: organization.name,
      isdisabled: 0,
      createdon: now,
      modifiedon: now,
      versionnumber: 0,
    },
  ]);
}

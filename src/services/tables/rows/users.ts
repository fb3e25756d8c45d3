import { insertRows } from "../storage/insert.ts";
import type { Context } from "../context.ts";
import { quoted, sql, type Row } from "../storage/sql.ts";
import { rowsOf } from "../storage/physical.ts";
import type { Work } from "./work.ts";

/** Gives the caller, and who is impersonated, a row of their own among the users. */
export async function ensureUser(work: Work): Promise<void> {
  const { actor, context } = work;
  for (const id of new Set([actor.userId, actor.caller.objectId])) {
    if (!context.users.has(id)) await addUser(work, id);
  }
}

async function addUser(work: Work, id: string): Promise<void> {
  const { context, writer, now } = work;
  const table = context.catalog.table("systemuser");
  if (table === undefined) throw new Error("There is no table of users.");
  const known = await writer.rows(
    sql(`select 1 as one from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`, [id]),
  );
  if (known.length > 0) return;
  const row = userRow(context, id, now);
  await insertRows(writer, table, [{ ...row, versionnumber: await work.takeVersions(1) }]);
}

function userRow({ principals, organization }: Context, id: string, now: string): Row {
  const { name = id, displayName = "", kind = "User" } = principals.find(id) ?? {};
  return {
    systemuserid: id,
    fullname: displayName === "" ? name : displayName,
    domainname: name,
    applicationid: kind === "ServicePrincipal" ? id : null,
    azureactivedirectoryobjectid: id,
    isdisabled: 0,
    businessunitid: organization.businessUnitId,
    createdby: id,
    createdon: now,
    modifiedby: id,
    modifiedon: now,
  };
}

import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { answered, answeredEmpty, writing } from "../protocol/request.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { badBody, noMethod, noSegment, notImplemented, shown } from "../protocol/refusals.ts";
import { requireBody } from "../resources/entity.ts";
import { isBody, type Body } from "../rows/body.ts";
import { createRows } from "../rows/create.ts";
import { idOf } from "../rows/find.ts";
import { updateRow } from "../rows/update.ts";
import { upsertRow, type Upserted } from "../rows/upsert.ts";
import type { Work } from "../rows/work.ts";
import { keyOf, typeOf } from "./targets.ts";

const NONE = { kind: "none" } as const;

/** `set/Microsoft.Dynamics.CRM.XMultiple`: many rows in one transaction, all of them or none. */
export async function answerBulk(
  context: Context,
  request: Request,
  table: Table,
  name: string,
): Promise<Answer> {
  const message = name.replace(/^(Microsoft\.Dynamics\.CRM|mscrm)\./, "");
  if (request.method !== "POST") throw noMethod(request.method, message);
  if (message === "CreateMultiple") return createMultiple(context, request, table);
  if (message === "UpdateMultiple") return updateMultiple(context, request, table);
  if (message === "UpsertMultiple") return upsertMultiple(context, request, table);
  if (message === "DeleteMultiple") throw notImplemented("DeleteMultiple");
  throw noSegment(name);
}

async function createMultiple(context: Context, request: Request, table: Table): Promise<Answer> {
  const targets = targetsOf(context, request, table);
  const rows = await writing(context, request, (work) => createRows(work, table, targets));
  const type = "Microsoft.Dynamics.CRM.CreateMultipleResponse";
  return answered(200, {
    "@odata.context": `${request.base}/$metadata#${type}`,
    Ids: rows.map((row) => idOf(table, row)),
  });
}

async function updateMultiple(context: Context, request: Request, table: Table): Promise<Answer> {
  const targets = targetsOf(context, request, table);
  await writing(context, request, async (work) => {
    for (const [at, body] of targets.entries()) {
      const key = keyOf(table, body);
      if (key === undefined) throw badBody(`Targets[${at}] has no ${table.primaryId}.`);
      await updateRow(work, table, { key, body, precondition: NONE });
    }
  });
  return answeredEmpty();
}

async function upsertMultiple(context: Context, request: Request, table: Table): Promise<Answer> {
  const targets = targetsOf(context, request, table);
  const results = await writing(context, request, async (work) => {
    const done: Upserted[] = [];
    for (const body of targets) done.push(await upsertOne(work, table, body));
    return done;
  });
  const type = "Microsoft.Dynamics.CRM.UpsertMultipleResponse";
  return answered(200, {
    "@odata.context": `${request.base}/$metadata#${type}`,
    Results: results.map(({ row, isCreated }) => ({
      RecordCreated: isCreated,
      Target: { "@odata.id": `${request.base}/${table.entitySetName}(${idOf(table, row)})` },
    })),
  });
}

async function upsertOne(work: Work, table: Table, body: Body): Promise<Upserted> {
  const key = keyOf(table, body);
  if (key !== undefined) return upsertRow(work, table, { key, body, precondition: NONE });
  const [row] = await createRows(work, table, [body]);
  if (row === undefined) throw new Error("A row was created and is not there.");
  return { row, isCreated: true };
}

/** The targets of the body, each of which has to name the table's type. */
function targetsOf({ catalog }: Context, request: Request, table: Table): readonly Body[] {
  const targets = requireBody(request)["Targets"];
  if (!Array.isArray(targets) || targets.length === 0) {
    throw badBody("The body has no Targets, a list of at least one row.");
  }
  const rows: readonly unknown[] = targets;
  return rows.map((row, at) => {
    if (!isBody(row)) throw badBody(`Targets[${at}] is not a row but ${shown(row)}.`);
    const named = typeOf(catalog, row);
    if (named === table) return row;
    const expected = `Microsoft.Dynamics.CRM.${table.logicalName}`;
    throw badBody(
      `Targets[${at}] has the @odata.type ${shown(row["@odata.type"])}; expected ${expected}.`,
    );
  });
}

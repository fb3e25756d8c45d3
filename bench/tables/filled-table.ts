import { randomBytes, randomUUID } from "node:crypto";
import { openStore } from "#platform/store/open-store.ts";
import { createAccess } from "#services/tables/access.ts";
import { BUILT_IN_TABLES } from "#services/tables/definitions/built-in.ts";
import { createCatalog } from "#services/tables/definitions/catalog.ts";
import type { Table } from "#services/tables/definitions/table.ts";
import { listBody } from "#services/tables/odata/list-body.ts";
import type { QueryContext } from "#services/tables/odata/query.ts";
import { parsePrefer } from "#services/tables/protocol/prefer.ts";
import { parseQueryString } from "#services/tables/protocol/query-string.ts";
import { insertRows } from "#services/tables/storage/insert.ts";
import { ensurePhysical } from "#services/tables/storage/physical.ts";
import { readerOf, sql, writerOf, type Row } from "#services/tables/storage/sql.ts";
import { migrations, type TablesTables } from "#services/tables/store.ts";

const NAME = "svc_opportunityresearchuserinteractions";
const USER = "00000000-0000-4000-8000-0000000000a1";
const ROWS_PER_WRITE = 10_000;
const ROWS_PER_OPPORTUNITY = 1000;

export interface FilledTable {
  /** Rows of one opportunity, of which there are a thousand. */
  readonly opportunity: string;
  /** The body of a list, as the service makes it. */
  readonly list: (query: string, prefer: string) => Promise<ListBody>;
  readonly close: () => Promise<void>;
}

export interface ListBody {
  readonly value: readonly object[];
  readonly "@odata.nextLink"?: string;
}

/** The specified table in a file, with many rows. */
export async function fillTable(file: string, rows: number): Promise<FilledTable> {
  const store = await openStore<TablesTables>({ location: { kind: "sqlite", file }, migrations });
  const context: QueryContext = {
    environment: { now: () => new Date(), newId: () => randomUUID(), randomBytes },
    access: createAccess(() => true, ""),
    catalog: createCatalog(BUILT_IN_TABLES),
    organization: { id: USER, name: "atoll", businessUnitId: USER },
  };
  const table = context.catalog.table(NAME);
  if (table === undefined) throw new Error(`There is no table ${NAME}.`);
  await store.write(async (transaction) => {
    const writer = writerOf(transaction, "sqlite");
    for (const one of context.catalog.tables()) await ensurePhysical(writer, one);
  });
  for (let at = 0; at < rows; at += ROWS_PER_WRITE) {
    const some = Array.from({ length: ROWS_PER_WRITE }, (_, index) => rowAt(table, at + index));
    await store.write((transaction) => insertRows(writerOf(transaction, "sqlite"), table, some));
  }
  await store.write((transaction) => writerOf(transaction, "sqlite").run(sql("analyze")));
  const reader = readerOf(store, "sqlite");
  const actor = {
    caller: { objectId: USER, kind: "User", tenantId: USER, scheme: "bearer" },
    userId: USER,
    behalfOf: undefined,
  } as const;
  return {
    opportunity: opportunityAt(0),
    close: store.close,
    async list(query, prefer) {
      const asked = {
        actor,
        reader,
        query: parseQueryString(query),
        preferences: parsePrefer(prefer),
      };
      const listing = { asked, base: "http://localhost", path: table.entitySetName };
      return (await listBody(context, table, listing)) as ListBody;
    },
  };
}

function opportunityAt(index: number): string {
  const number = Math.floor(index / ROWS_PER_OPPORTUNITY);
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

function rowAt(table: Table, index: number): Row {
  const time = new Date(Date.UTC(2026, 0, 1) + index * 20_000).toISOString();
  return {
    [table.primaryId]: randomUUID(),
    [table.primaryName]: `Interaction ${index}`,
    svc_topic: 1 + (index % 2),
    svc_feedback: 10_001 + (index % 3),
    svc_isdone: index % 10 === 0 ? 1 : 0,
    svc_isseen: 0,
    svc_opportunity: opportunityAt(index),
    svc_opportunityid: opportunityAt(index),
    svc_sarid: `sar-${index % 500}`,
    svc_uiitemid: `item-${index}`,
    svc_result: `What came of it, number ${index}`,
    statecode: 0,
    statuscode: 1,
    createdby: USER,
    createdon: `${time.slice(0, 19)}Z`,
    modifiedby: USER,
    modifiedon: `${time.slice(0, 19)}Z`,
    versionnumber: index + 1,
  };
}

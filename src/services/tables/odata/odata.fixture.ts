import { randomBytes, randomUUID } from "node:crypto";
import { Problem } from "#platform/problem.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { createAccess } from "../access.ts";
import type { Actor } from "../context.ts";
import { BUILT_IN_TABLES } from "../definitions/built-in.ts";
import { createCatalog } from "../definitions/catalog.ts";
import type { Table } from "../definitions/table.ts";
import { parsePath } from "../protocol/path.ts";
import { parsePrefer } from "../protocol/prefer.ts";
import { parseQueryString } from "../protocol/query-string.ts";
import { insertRows } from "../storage/insert.ts";
import { ensurePhysical } from "../storage/physical.ts";
import { readerOf, writerOf, type Dialect, type Reader, type Row } from "../storage/sql.ts";
import { migrations, type TablesTables } from "../store.ts";
import { listBody } from "./list-body.ts";
import type { QueryContext } from "./query.ts";
import { countRows } from "./retrieve-multiple.ts";

export type Json = Record<string, unknown>;

export const TABLE = "svc_opportunityresearchuserinteractions";
export const SET = `${TABLE}es`;
export const USER = "00000000-0000-4000-8000-0000000000a1";
export const OPPORTUNITY = "00000000-0000-4000-8000-0000000000b1";
/** From an opportunity to its interactions. */
export const INTERACTIONS = `opportunity_${TABLE}_svc_opportunity`;

const BASE = "http://tables/api/data/v9.2";
const NOW = "2026-03-18T12:30:00.000Z";

export const ROWS: readonly Row[] = [
  { [TABLE]: "Alpha", svc_feedback: 10_001, svc_isdone: 1, svc_result: "100%_sure" },
  { [TABLE]: "beta", svc_feedback: 10_002, importsequencenumber: 7 },
  { [TABLE]: "GAMMA", svc_topic: 2, svc_result: "it's \\ fine", importsequencenumber: -3 },
  { [TABLE]: "delta", svc_topic: 2, svc_isseen: 1 },
];

export interface TestQueries extends AsyncDisposable {
  /** Stores a row and answers its id. */
  readonly create: (set: string, row: Row) => Promise<string>;
  readonly link: (relationship: string, firstId: string, secondId: string) => Promise<void>;
  /** The answer to a path with its query, behind the base; throws what refuses it. */
  readonly ask: (path: string, prefer?: string) => Promise<Json>;
  /** The rows of the answer. */
  readonly list: (path: string, prefer?: string) => Promise<readonly Json[]>;
  readonly count: (path: string) => Promise<number>;
}

export interface QueriesOptions {
  readonly location?: StoreLocation;
  /** Tables that the caller may not read. */
  readonly forbidden?: readonly string[];
}

/** The tables on an empty store. */
export async function startQueries(options: QueriesOptions = {}): Promise<TestQueries> {
  const { location = { kind: "memory" }, forbidden = [] } = options;
  const store = await openStore<TablesTables>({ location, migrations });
  const dialect: Dialect = location.kind === "postgres" ? "postgres" : "sqlite";
  const isAllowed = (scope: string) => !forbidden.some((name) => scope.endsWith(`/${name}`));
  const context: QueryContext = {
    environment: { now: () => new Date(NOW), newId: () => randomUUID(), randomBytes },
    access: createAccess((_, { scope }) => isAllowed(scope), ""),
    catalog: createCatalog(BUILT_IN_TABLES),
    organization: { id: USER, name: "atoll", businessUnitId: USER },
  };
  await store.write(async (transaction) => {
    const writer = writerOf(transaction, dialect);
    for (const table of context.catalog.tables()) await ensurePhysical(writer, table);
  });
  const asking = { context, reader: readerOf(store, dialect) };
  const ask = (path: string, prefer?: string) => answer(asking, path, prefer);
  let version = 0;
  return {
    ask,
    list: async (path, prefer) => (await ask(path, prefer))["value"] as Json[],
    count: (path) => count(asking, path),
    async create(set, row) {
      const table = tableOf(context, set);
      const whole = { ...stamped(table, (version += 1)), ...row };
      await store.write((transaction) =>
        insertRows(writerOf(transaction, dialect), table, [whole]),
      );
      return String(whole[table.primaryId]);
    },
    async link(relationship, firstId, secondId) {
      await store.write((transaction) =>
        transaction.insertInto("rowLink").values({ relationship, firstId, secondId }).execute(),
      );
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

function stamped(table: Table, version: number): Record<string, Row[string]> {
  const now = NOW.replace(".000Z", "Z");
  const flags = table.columns.filter(({ type }) => type === "Boolean");
  return {
    ...Object.fromEntries(flags.map(({ logicalName }) => [logicalName, 0])),
    [table.primaryId]: randomUUID(),
    createdon: now,
    modifiedon: now,
    createdby: USER,
    modifiedby: USER,
    statecode: 0,
    statuscode: 1,
    versionnumber: version,
  };
}

/** With the rows of `ROWS`, of which two belong to an opportunity. */
export async function startFilled(options: QueriesOptions = {}): Promise<TestQueries> {
  const queries = await startQueries(options);
  await queries.create("systemusers", { systemuserid: USER, fullname: "ADMIN" });
  await queries.create("opportunities", {
    opportunityid: OPPORTUNITY,
    name: "Big deal",
    estimatedvalue: 12.5,
    estimatedclosedate: "2026-03-20",
  });
  for (const [at, row] of ROWS.entries()) {
    const opportunity = at < 2 ? OPPORTUNITY : null;
    await queries.create(SET, { svc_topic: 1, svc_opportunity: opportunity, ...row });
  }
  return queries;
}

/** What is refused, as code and sentence. */
export async function refusal(asked: Promise<unknown>): Promise<readonly [string, string]> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.message];
    throw error;
  }
  return ["", "nothing was refused"];
}

const ACTOR: Actor = {
  caller: { objectId: USER, kind: "User", tenantId: USER, scheme: "bearer" },
  userId: USER,
  behalfOf: undefined,
};

function tableOf({ catalog }: QueryContext, set: string): Table {
  const table = catalog.set(set);
  if (table === undefined) throw new Error(`There is no set ${set}.`);
  return table;
}

interface Asking {
  readonly context: QueryContext;
  readonly reader: Reader;
}

function parsed({ context, reader }: Asking, url: string, prefer?: string) {
  const [path = "", query = ""] = url.replace(`${BASE}/`, "").split(/\?(.*)/s);
  const asked = {
    actor: ACTOR,
    query: parseQueryString(query),
    preferences: parsePrefer(prefer),
    reader,
  };
  const [set, property] = parsePath(path);
  const table = tableOf(context, set?.name ?? "");
  return { path, asked, table, property, id: set?.args ?? "" };
}

async function answer(asking: Asking, url: string, prefer?: string): Promise<Json> {
  const { context } = asking;
  const { path, asked, table, property, id } = parsed(asking, url, prefer);
  const listing = { asked, base: BASE, path };
  if (property === undefined) return { ...(await listBody(context, table, listing)) };
  const navigation = table.navigation(property.name);
  if (navigation === undefined || navigation.kind === "single") throw new Error(url);
  const target = context.catalog.table(navigation.target);
  if (target === undefined) throw new Error(navigation.target);
  return { ...(await listBody(context, target, { ...listing, owner: { navigation, id } })) };
}

function count(asking: Asking, url: string): Promise<number> {
  const { asked, table } = parsed(asking, url);
  return countRows(asking.context, table, asked);
}

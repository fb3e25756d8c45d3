import type { Actor, Context } from "../context.ts";
import { Problem } from "#platform/problem.ts";
import type { Table } from "../definitions/table.ts";
import type { Preferences } from "../protocol/prefer.ts";
import type { QueryString } from "../protocol/query-string.ts";
import { badQuery } from "../protocol/refusals.ts";
import type { Reader, Row, Sql } from "../storage/sql.ts";
import { compiler } from "./sql/conditions.ts";
import type { Querying } from "./sql/scope.ts";

/** What queries need from the rest of Atoll. */
export type QueryContext = Pick<Context, "access" | "catalog" | "environment" | "organization">;

/** What a query is asked with. */
export interface Asked {
  readonly actor: Actor;
  readonly query: QueryString;
  readonly preferences: Preferences;
  /** Sees what is committed, or what a transaction has done. */
  readonly reader: Reader;
}

/** What the parts of one query need. */
export function queryingFor(context: QueryContext, { actor, query, reader }: Asked): Querying {
  let count = 0;
  const allowed = new Set<Table>();
  return {
    dialect: reader.dialect,
    catalog: context.catalog,
    aliases: query,
    now: context.environment.now(),
    userId: actor.userId,
    businessUnitId: context.organization.businessUnitId,
    compiler,
    requireRead(table) {
      if (allowed.has(table)) return;
      context.access.require(actor.caller, "read", table.logicalName);
      allowed.add(table);
    },
    newName: () => `t${(count += 1)}`,
  };
}

/** Reads rows; what an engine cannot calculate is the fault of the query. */
export async function readRows(reader: Reader, sql: Sql): Promise<readonly Row[]> {
  try {
    return await reader.rows(sql);
  } catch (error) {
    if (error instanceof Problem || !isDataError(error)) throw error;
    throw badQuery("The query calculates something that is out of range.");
  }
}

/** Postgres: a division by zero, a number out of range and the like have class 22. */
function isDataError(error: unknown): boolean {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^22\w{3}$/.test(code);
}

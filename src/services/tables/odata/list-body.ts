import type { Table } from "../definitions/table.ts";
import { wantsAnnotation } from "../protocol/prefer.ts";
import { badQuery } from "../protocol/refusals.ts";
import type { Row } from "../storage/sql.ts";
import { aggregateRows, isAggregation } from "./aggregate.ts";
import { selectOf } from "./columns.ts";
import { expandRows } from "./expand.ts";
import { found } from "./found.ts";
import { presentAggregated, presentFound, queryText } from "./present-found.ts";
import { queryingFor, type Asked, type QueryContext } from "./query.ts";
import { retrieveMultiple, type Page } from "./retrieve-multiple.ts";
import type { Owner } from "./sql/collections.ts";
import { parseOptions } from "./syntax/options.ts";

const TOTAL = "Microsoft.Dynamics.CRM.totalrecordcount";

export interface Listing {
  readonly asked: Asked;
  /** What URLs begin with, without a slash at the end. */
  readonly base: string;
  /** The path of the list behind the base, as links to further pages repeat it. */
  readonly path: string;
  readonly owner?: Owner;
}

/** The body of a list without its context: what `$apply` makes, or a page of rows. */
export async function listBody(
  context: QueryContext,
  table: Table,
  listing: Listing,
): Promise<object> {
  const { asked, base, path, owner } = listing;
  const presenting = { context, asked, base };
  const options = parseOptions(asked.query);
  if (isAggregation(options.apply)) {
    if (owner !== undefined) throw badQuery("$apply is for all rows of a table.");
    const aggregated = await aggregateRows(context, table, asked);
    const value = await presentAggregated(presenting, aggregated);
    return { ...(options.count && { "@odata.count": value.length }), value };
  }
  const page = await retrieveMultiple(context, table, asked, owner);
  const value = await presentFound(presenting, page);
  return { ...countsOf(page, asked), value, ...linkOf(page, asked, `${base}/${path}`) };
}

function countsOf({ count, isCountCut }: Page, { preferences }: Asked): object {
  if (count === undefined) return {};
  return {
    "@odata.count": count,
    ...(wantsAnnotation(preferences, TOTAL) && {
      [`@${TOTAL}`]: count,
      [`@${TOTAL}limitexceeded`]: isCountCut,
    }),
  };
}

function linkOf({ skipToken }: Page, { query }: Asked, url: string): object {
  if (skipToken === undefined) return {};
  const next = new Map(query).set("$skiptoken", skipToken);
  return { "@odata.nextLink": `${url}?${queryText(next)}` };
}

/** One row that was read, with what `$select` and `$expand` say of it. */
export async function rowBody(
  context: QueryContext,
  table: Table,
  row: Row,
  { asked, base }: Pick<Listing, "asked" | "base">,
): Promise<object> {
  const options = parseOptions(asked.query);
  const rows = [found(row)];
  const querying = queryingFor(context, asked);
  await expandRows(querying, asked, { table, rows }, options.expand);
  const select = selectOf(table, options);
  const [shown] = await presentFound({ context, asked, base }, { table, select, rows });
  return shown ?? {};
}

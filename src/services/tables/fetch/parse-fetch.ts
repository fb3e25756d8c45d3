import type { Catalog } from "../definitions/catalog.ts";
import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { badQuery, notImplemented } from "../protocol/refusals.ts";
import type { Place } from "../storage/physical.ts";
import { joined, type Dialect, type Sql } from "../storage/sql.ts";
import { conditionOf, requireColumn } from "./conditions.ts";
import { readXml, type Element } from "./read-xml.ts";

/** One term of the order of rows. */
export interface OrderTerm {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** A query in FetchXML over one table. */
export interface Fetch {
  readonly table: Table;
  /** `datasource="retained"` reads what was put away. */
  readonly place: Place;
  readonly select: readonly Column[] | undefined;
  readonly condition: Sql | undefined;
  readonly order: readonly OrderTerm[];
  readonly page: number;
  readonly size: number;
  /** Set by `top`: there is no further page. */
  readonly isLast: boolean;
}

/** Refuses, by name, what of FetchXML is not understood. */
export function parseFetch(catalog: Catalog, dialect: Dialect, xml: string): Fetch {
  const fetch = readXml(xml);
  const entity = fetch.name === "fetch" ? fetch.children[0] : undefined;
  if (entity?.name !== "entity" || fetch.children.length > 1) {
    throw badQuery("FetchXML is a fetch element with one entity element.");
  }
  const { name = "" } = entity.attributes;
  const table = catalog.table(name);
  if (table === undefined) throw badQuery(`There is no table ${name}.`);
  const parts = partsOf(entity);
  const conditions = parts.filters.map((filter) => conditionOf(table, dialect, filter));
  const id = requireColumn(table, table.primaryId);
  const order = parts.orders.map(({ attributes }): OrderTerm => ({
    column: requireColumn(table, attributes["attribute"] ?? ""),
    isDescending: attributes["descending"] === "true",
  }));
  return {
    table,
    ...pagesOf(fetch),
    place: fetch.attributes["datasource"] === "retained" ? "retained" : "live",
    select: parts.columns?.map((column) => requireColumn(table, column)),
    condition: conditions.length === 0 ? undefined : joined(conditions, " and "),
    order: [...order.filter(({ column }) => column !== id), { column: id, isDescending: false }],
  };
}

function pagesOf({ attributes }: Element): Pick<Fetch, "isLast" | "page" | "size"> {
  for (const name of ["aggregate", "distinct"]) {
    if (attributes[name] === "true") throw notImplemented(`${name} in FetchXML`);
  }
  const top = attributes["top"];
  const count = top ?? attributes["count"];
  const page = attributes["page"] ?? "1";
  if (!/^[1-9]\d{0,6}$/.test(page) || (count !== undefined && !/^\d{1,6}$/.test(count))) {
    throw badQuery("The page, count and top of FetchXML are whole numbers.");
  }
  const size = Math.min(Number(count ?? PAGE_SIZE_MAX) || PAGE_SIZE_MAX, PAGE_SIZE_MAX);
  return { page: Number(page), size, isLast: top !== undefined };
}

function partsOf({ children }: Element) {
  const unknown = children.find(({ name }) => !KNOWN.has(name));
  if (unknown !== undefined) throw notImplemented(`${unknown.name} in FetchXML`);
  const named = (name: string) => children.filter((one) => one.name === name);
  const columns = named("attribute").map(({ attributes }) => attributes["name"] ?? "");
  const isAll = named("all-attributes").length > 0 || columns.length === 0;
  return {
    columns: isAll ? undefined : columns,
    filters: named("filter"),
    orders: named("order"),
  };
}

const KNOWN: ReadonlySet<string> = new Set(["all-attributes", "attribute", "filter", "order"]);

import type { Catalog } from "../definitions/catalog.ts";
import type { Table } from "../definitions/table.ts";
import { parsePath } from "../protocol/path.ts";
import { badBody, shown } from "../protocol/refusals.ts";
import { isBody, type Body } from "../rows/body.ts";
import { parseKey, type RowKey } from "../rows/find.ts";
import type { Cell } from "../storage/sql.ts";
import { cellOf } from "../rows/cells.ts";

const NAMESPACE = /^#?(?:Microsoft\.Dynamics\.CRM|mscrm)\./;

/** The table that `@odata.type` names, with or without `#` before it. */
export function typeOf(catalog: Catalog, body: Body): Table | undefined {
  const type = body["@odata.type"];
  if (typeof type !== "string") return undefined;
  const table = catalog.table(type.replace(NAMESPACE, ""));
  if (table === undefined) throw badBody(`There is no table for the @odata.type ${shown(type)}.`);
  return table;
}

/** How a target names its row: `@odata.id`, its primary id, or the columns of an alternate key. */
export function keyOf(table: Table, body: Body): RowKey | undefined {
  const url = body["@odata.id"];
  if (typeof url === "string") {
    const [last] = parsePath(url.split("?", 1)[0] ?? "").slice(-1);
    if (last?.args === undefined) throw badBody(`The @odata.id ${shown(url)} names no row.`);
    return parseKey(table, last.args);
  }
  const id = body[table.primaryId];
  if (typeof id === "string") return parseKey(table, id);
  const key = table.keys.find(({ columns }) => columns.every((name) => name in body));
  if (key === undefined) return undefined;
  const values = key.columns.map((name): [string, Cell] => {
    const column = table.column(name);
    if (column === undefined) throw new Error(`The key ${key.name} has no column ${name}.`);
    return [name, cellOf(table, column, body[name])];
  });
  return { kind: "alternate", values: new Map(values) };
}

/** A parameter of the type `crmbaseentity`: a row of any table. */
export function entityParameter(
  catalog: Catalog,
  name: string,
  value: unknown,
): { readonly table: Table; readonly key: RowKey } {
  if (!isBody(value)) throw badBody(`The parameter ${name} is not a row but ${shown(value)}.`);
  const url = value["@odata.id"];
  const [last] = typeof url === "string" ? parsePath(url).slice(-1) : [];
  const table = last === undefined ? typeOf(catalog, value) : catalog.set(last.name);
  const key = table && keyOf(table, value);
  if (table === undefined || key === undefined) {
    throw badBody(`The parameter ${name} names no row, by @odata.id or by @odata.type and its id.`);
  }
  return { table, key };
}

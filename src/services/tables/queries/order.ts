import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { badQuery } from "../protocol/refusals.ts";
import { requireProperty } from "../protocol/select.ts";
import { compared } from "../storage/physical.ts";
import { joined, sql, type Cell, type Dialect, type Sql } from "../storage/sql.ts";

/** One term of the order of rows. */
export interface OrderTerm {
  readonly column: Column;
  readonly isDescending: boolean;
}

const TERMS_MAX = 10;

/** The order of `$orderby`, which ends with the primary id so that pages are stable. */
export function parseOrder(table: Table, text: string | undefined): readonly OrderTerm[] {
  const parts = (text ?? "").split(",").flatMap((part) => part.trim() || []);
  if (parts.length > TERMS_MAX) throw badQuery(`$orderby has more than ${TERMS_MAX} terms.`);
  const terms = parts.map((part): OrderTerm => {
    const [, name = "", direction = "asc"] = /^(\S+)(?:\s+(asc|desc))?$/.exec(part) ?? [];
    if (name === "") throw badQuery(`The term '${part}' of $orderby is not a column, asc or desc.`);
    return { column: requireProperty(table, name), isDescending: direction === "desc" };
  });
  const last = requireProperty(table, table.primaryId);
  const isComplete = terms.some(({ column }) => column === last);
  return isComplete ? terms : [...terms, { column: last, isDescending: false }];
}

/** `order by`, with nothing before everything else in both engines. */
export function orderBy(terms: readonly OrderTerm[], dialect: Dialect): string {
  return terms
    .map(({ column, isDescending }) => {
      const nulls = dialect === "sqlite" ? "" : ` nulls ${isDescending ? "last" : "first"}`;
      return `${compared(column, dialect)} ${isDescending ? "desc" : "asc"}${nulls}`;
    })
    .join(", ");
}

/** The rows that come after the one with these cells. */
export function after(terms: readonly OrderTerm[], cells: readonly Cell[], dialect: Dialect): Sql {
  const alternatives = terms.map((term, at) => {
    const equal = terms
      .slice(0, at)
      .map((one, index) => isEqual(one, cells[index] ?? null, dialect));
    return joined([...equal, isBeyond(term, cells[at] ?? null, dialect)], " and ");
  });
  const { text, values } = joined(alternatives, " or ");
  return sql(`(${text})`, values);
}

function isEqual({ column }: OrderTerm, cell: Cell, dialect: Dialect): Sql {
  const left = compared(column, dialect);
  return cell === null ? sql(`${left} is null`) : sql(`${left} = ${marked(left)}`, [cell]);
}

function isBeyond({ column, isDescending }: OrderTerm, cell: Cell, dialect: Dialect): Sql {
  const left = compared(column, dialect);
  if (isDescending) {
    if (cell === null) return sql("1 = 0");
    return sql(`(${left} < ${marked(left)} or ${left} is null)`, [cell]);
  }
  return cell === null ? sql(`${left} is not null`) : sql(`${left} > ${marked(left)}`, [cell]);
}

function marked(left: string): string {
  return left.startsWith("lower(") ? "lower(?)" : "?";
}

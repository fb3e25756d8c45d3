import { badQuery } from "../../protocol/refusals.ts";
import { requireProperty } from "../../protocol/select.ts";
import { joined, sql, type Cell, type Dialect, type Sql } from "../../storage/sql.ts";
import type { OrderItem } from "../syntax/ast.ts";
import type { Scope, TableScope } from "./scope.ts";
import { computed, folded, parameter, type Value } from "./value.ts";

const TERMS_MAX = 10;

/** One term of the order of rows. */
export interface OrderTerm {
  readonly value: Value;
  readonly descending: boolean;
  /** Whether every row has a value. */
  readonly isFull: boolean;
}

/** Columns that the service itself fills in every row. */
const FULL_COLUMNS: ReadonlySet<string> = new Set(["createdon", "modifiedon", "versionnumber"]);

/** The order of rows, which ends with the primary id so that pages are stable. */
export function rowOrder(scope: TableScope, items: readonly OrderItem[]): readonly OrderTerm[] {
  const isStored = items.length === 0 && scope.querying.dialect === "sqlite";
  if (isStored) return [storedOrder(scope)];
  const terms = orderTerms(scope, items, (value) => isFull(scope, value));
  const { primaryId } = scope.table;
  const last = requireProperty(scope.table, primaryId);
  const isComplete = terms.some(({ value }) => value.column === last && isFull(scope, value));
  if (isComplete) return terms;
  return [...terms, { value: scope.value([primaryId], 0), descending: false, isFull: true }];
}

/**
 * The order in which SQLite keeps rows, and those of one value of an index. In the order of random
 * ids it would jump through the whole file to find the few rows for which a condition holds.
 */
function storedOrder({ name }: TableScope): OrderTerm {
  return { value: computed("number", sql(`${name}.rowid`), 0), descending: false, isFull: true };
}

/** Whether rows come in the order in which SQLite reads them. */
export function isStoredOrder([first]: readonly OrderTerm[]): boolean {
  return first?.value.sql.text.endsWith(".rowid") === true;
}

export function orderTerms(
  scope: Scope,
  items: readonly OrderItem[],
  isFullValue: (value: Value) => boolean = () => false,
): readonly OrderTerm[] {
  if (items.length > TERMS_MAX) throw badQuery(`$orderby has more than ${TERMS_MAX} terms.`);
  return items.map(({ value: expression, descending }) => {
    const value = scope.querying.compiler.value(scope, expression);
    if (value.literal !== undefined) {
      throw badQuery(`Expected a property at position ${value.at} in $orderby.`);
    }
    return { value, descending, isFull: isFullValue(value) };
  });
}

/** Rows that are joined may be missing; those of the scope itself are not. */
function isFull({ name, table }: TableScope, { column, sql: { text } }: Value): boolean {
  if (column === undefined || !text.startsWith(`${name}.`)) return false;
  return column.logicalName === table.primaryId || FULL_COLUMNS.has(column.logicalName);
}

/** `order by`, with nothing before everything else in both engines. */
export function orderBy(terms: readonly OrderTerm[], dialect: Dialect): Sql {
  const pieces = terms.map(({ value, descending, isFull: isWhole }) => {
    const { text, values } = folded(value, dialect);
    const nulls = dialect === "sqlite" || isWhole ? "" : nullsAt(descending);
    return sql(`${text} ${descending ? "desc" : "asc"}${nulls}`, values);
  });
  const { text, values } = joined(pieces, ", ");
  return sql(`order by ${text}`, values);
}

function nullsAt(descending: boolean): string {
  return descending ? " nulls last" : " nulls first";
}

/** The rows that come after the one with these cells. */
export function after(terms: readonly OrderTerm[], cells: readonly Cell[], dialect: Dialect): Sql {
  const at = (index: number) => cells[index] ?? null;
  const alternatives = terms.map((term, count) => {
    const equal = terms.slice(0, count).map((one, index) => isEqual(one, at(index), dialect));
    return joined([...equal, isBeyond(term, at(count), dialect)], " and ");
  });
  const { text, values } = joined(alternatives, " or ");
  const any = sql(`(${text})`, values);
  const [first] = terms;
  const bound = first === undefined || terms.length === 1 ? [] : boundOf(first, at(0), dialect);
  return joined([...bound, any], " and ");
}

/** What an index can begin with, where the alternatives hide it. */
function boundOf(term: OrderTerm, cell: Cell, dialect: Dialect): readonly Sql[] {
  if (cell === null || (term.descending && !term.isFull)) return [];
  return [compared(term, term.descending ? "<=" : ">=", cell, dialect)];
}

function isEqual(term: OrderTerm, cell: Cell, dialect: Dialect): Sql {
  const { text, values } = term.value.sql;
  return cell === null ? sql(`${text} is null`, values) : compared(term, "=", cell, dialect);
}

function isBeyond(term: OrderTerm, cell: Cell, dialect: Dialect): Sql {
  const { text, values } = term.value.sql;
  if (!term.descending) {
    return cell === null ? sql(`${text} is not null`, values) : compared(term, ">", cell, dialect);
  }
  if (cell === null) return sql("1 = 0");
  const less = compared(term, "<", cell, dialect);
  return term.isFull ? less : sql(`(${less.text} or ${text} is null)`, [...less.values, ...values]);
}

function compared({ value }: OrderTerm, symbol: string, cell: Cell, dialect: Dialect): Sql {
  const other = folded({ ...value, column: undefined, sql: parameter(cell, dialect) }, dialect);
  return joined([folded(value, dialect), other], ` ${symbol} `);
}

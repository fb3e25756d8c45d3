import type { Catalog } from "../../definitions/catalog.ts";
import type { Navigation, SingleNavigation, Table } from "../../definitions/table.ts";
import { badQuery } from "../../protocol/refusals.ts";
import { requireProperty } from "../../protocol/select.ts";
import { columnOf, rowsOf } from "../../storage/physical.ts";
import { quoted, sql, type Dialect, type Sql } from "../../storage/sql.ts";
import type { Expression } from "../syntax/ast.ts";
import { typeOfColumn, type Value } from "./value.ts";

/** What all parts of one query have in common. */
export interface Querying {
  readonly dialect: Dialect;
  readonly catalog: Catalog;
  /** Texts of the parameter aliases. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly now: Date;
  readonly userId: string;
  readonly businessUnitId: string;
  /** Refuses a table whose rows the caller may not read. */
  readonly requireRead: (table: Table) => void;
  /** A name for a table that no other part of the query has. */
  readonly newName: () => string;
  readonly compiler: Compiler;
}

/** Compiles whatever expression is inside of another. */
export interface Compiler {
  readonly condition: (scope: Scope, expression: Expression) => Sql;
  readonly value: (scope: Scope, expression: Expression) => Value;
}

/** Where the names of an expression are looked up. */
export interface Scope {
  readonly querying: Querying;
  readonly value: (path: readonly string[], at: number) => Value;
  /** The rows that a path leads to, and the scope of the row that it starts from. */
  readonly collection: (path: readonly string[], at: number) => Collection;
  /** The same with one more variable. */
  readonly withVariable: (name: string, row: TableScope) => Scope;
}

export interface Collection {
  readonly from: TableScope;
  readonly navigation: Exclude<Navigation, SingleNavigation>;
}

/** One row of a table under a name, with the rows that it refers to. */
export interface TableScope extends Scope {
  readonly table: Table;
  readonly name: string;
  /** Of the whole `from`: what to join, by what it leads to. */
  readonly joins: Map<string, Join>;
  /** Rows by the names of variables. */
  readonly variables: ReadonlyMap<string, TableScope>;
}

interface Join {
  readonly text: string;
  readonly scope: TableScope;
}

interface Place {
  readonly name?: string;
  readonly joins?: Map<string, Join>;
  readonly variables?: ReadonlyMap<string, TableScope>;
}

const NAMESPACE = "Microsoft.Dynamics.CRM.";

export function tableScope(querying: Querying, table: Table, place: Place = {}): TableScope {
  const { name = querying.newName() } = place;
  const { joins = new Map<string, Join>(), variables = new Map<string, TableScope>() } = place;
  const scope: TableScope = {
    querying,
    table,
    name,
    joins,
    variables,
    value(path, at) {
      const { from, last } = walk(scope, path);
      const column = requireProperty(from.table, last);
      const piece = sql(columnOf(column, from.name));
      return { type: typeOfColumn(column), sql: piece, column, literal: undefined, at };
    },
    collection(path, at) {
      const { from, last } = walk(scope, path);
      const navigation = from.table.navigation(last);
      if (navigation === undefined || navigation.kind === "single") {
        throw badQuery(`'${path.join("/")}' at position ${at} is not a collection of rows.`);
      }
      return { from, navigation };
    },
    withVariable(variable, row) {
      const more = new Map([...variables, [variable, row]]);
      return tableScope(querying, table, { name, joins, variables: more });
    },
  };
  return scope;
}

/** The `from` of a scope with all that is joined; complete once everything else is compiled. */
export function fromOf({ table, name, joins }: TableScope): string {
  return [`${rowsOf(table)} ${name}`, ...[...joins.values()].map(({ text }) => text)].join(" ");
}

interface Walked {
  readonly from: TableScope;
  readonly last: string;
}

/** Follows a path up to its last part. */
function walk(start: TableScope, path: readonly string[]): Walked {
  let { from, rest } = startOf(start, path);
  while (rest.length > 1) {
    const [name = "", cast = ""] = rest;
    const type = cast.startsWith(NAMESPACE) ? cast.slice(NAMESPACE.length) : undefined;
    from = follow(from, name, type);
    rest = rest.slice(type === undefined ? 1 : 2);
  }
  const [last] = rest;
  if (last === undefined) throw badQuery(`The path '${path.join("/")}' ends too early.`);
  return { from, last };
}

/** A path may begin with a variable, or with `$it` for the row itself. */
function startOf(start: TableScope, path: readonly string[]) {
  const [first = ""] = path;
  if (path.length === 1) return { from: start, rest: path };
  const from = first === "$it" ? start : start.variables.get(first);
  return from === undefined ? { from: start, rest: path } : { from, rest: path.slice(1) };
}

/** The row that a lookup refers to, joined once however often it is named. */
function follow(from: TableScope, name: string, type: string | undefined): TableScope {
  const { table, querying, joins } = from;
  const navigation = table.navigation(name);
  if (navigation?.kind !== "single") {
    throw badQuery(
      `Could not find a single-valued navigation property named '${name}' on type ` +
        `'${NAMESPACE}${table.logicalName}'.`,
    );
  }
  const target = singleTarget(querying.catalog, navigation, type);
  querying.requireRead(target);
  const key = `${from.name}/${navigation.column.logicalName}/${target.logicalName}`;
  const known = joins.get(key);
  if (known !== undefined) return known.scope;
  const scope = tableScope(querying, target, { joins, variables: from.variables });
  const own = `${scope.name}.${quoted(target.primaryId)}`;
  const text =
    `left join ${rowsOf(target)} ${scope.name} on ${own} ` +
    `= ${columnOf(navigation.column, from.name)}`;
  joins.set(key, { text, scope });
  return scope;
}

/** The one table that a lookup leads to; a cast says which of several. */
export function singleTarget(
  catalog: Catalog,
  { name, targets }: SingleNavigation,
  type: string | undefined,
): Table {
  const logicalName = type ?? (targets.length === 1 ? targets[0] : undefined);
  const isOne = logicalName !== undefined && targets.includes(logicalName);
  const table = isOne ? catalog.table(logicalName) : undefined;
  if (table !== undefined) return table;
  const known = targets.map((one) => `${name}/${NAMESPACE}${one}`).join(" or ");
  throw badQuery(`The navigation property '${name}' leads to several tables; say ${known}.`);
}

export function targetTable(catalog: Catalog, logicalName: string): Table {
  const table = catalog.table(logicalName);
  if (table === undefined) throw new Error(`There is no table ${logicalName}.`);
  return table;
}

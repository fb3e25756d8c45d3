import { columnOf } from "../../storage/physical.ts";
import { joined, sql, type Sql } from "../../storage/sql.ts";
import type { CountNode, LambdaNode } from "../syntax/ast.ts";
import { fromOf, tableScope, targetTable } from "./scope.ts";
import type { Collection, Scope, TableScope } from "./scope.ts";
import { asWhole, computed, parameter, type Value } from "./value.ts";

/** `rows/any(x:…)` and `rows/all(x:…)`. Names without a variable are those of the row itself. */
export function compileLambda(scope: Scope, lambda: LambdaNode): Sql {
  const collection = scope.collection(lambda.path, lambda.at);
  const inner = innerScope(collection);
  const body =
    lambda.body &&
    scope.querying.compiler.condition(scope.withVariable(lambda.variable, inner), lambda.body);
  const isAll = lambda.quantifier === "all";
  const tested = body && (isAll ? sql(`((${body.text}) is not true)`, body.values) : body);
  const conditions = [relation(collection, inner), ...(tested ? [tested] : [])];
  const { text, values } = joined(conditions, " and ");
  const kind = isAll ? "not exists" : "exists";
  return sql(`${kind} (select 1 from ${fromOf(inner)} where ${text})`, values);
}

/** `rows/$count` */
export function compileCount(scope: Scope, { path, at }: CountNode): Value {
  const collection = scope.collection(path, at);
  const inner = innerScope(collection);
  const { text, values } = relation(collection, inner);
  const counted = sql(`(select count(*) from ${fromOf(inner)} where ${text})`, values);
  return computed("number", asWhole(counted, scope.querying.dialect), at);
}

function innerScope({ from: { querying }, navigation }: Collection): TableScope {
  const table = targetTable(querying.catalog, navigation.target);
  querying.requireRead(table);
  return tableScope(querying, table);
}

/** Which rows belong to the row that a collection is of. */
function relation({ from, navigation }: Collection, inner: TableScope): Sql {
  return belonging(
    navigation,
    inner,
    sql(columnOf({ logicalName: from.table.primaryId }, from.name)),
  );
}

/** A row, and which of the rows that it leads to. */
export interface Owner {
  readonly navigation: Collection["navigation"];
  readonly id: string;
}

/** Which rows belong to a row that is known. */
export function belongsTo({ navigation, id }: Owner, scope: TableScope): Sql {
  return belonging(navigation, scope, parameter(id, scope.querying.dialect));
}

function belonging(navigation: Collection["navigation"], inner: TableScope, own: Sql): Sql {
  if (navigation.kind === "collection") {
    const column = { logicalName: navigation.reference.column };
    return sql(`${columnOf(column, inner.name)} = ${own.text}`, own.values);
  }
  const ids = linkColumns(navigation.side);
  const theirs = columnOf({ logicalName: inner.table.primaryId }, inner.name);
  return sql(
    `exists (select 1 from row_link where row_link.relationship = ? ` +
      `and row_link.${ids.own} = ${own.text} and row_link.${ids.other} = ${theirs})`,
    [navigation.relationship, ...own.values],
  );
}

/** The columns of a link that hold the id of this side, and that of the other. */
export function linkColumns(side: "first" | "second") {
  return side === "first"
    ? ({ own: "first_id", other: "second_id" } as const)
    : ({ own: "second_id", other: "first_id" } as const);
}

import { renewed } from "../table-shapes.ts";
import {
  columnsOf,
  kindOf,
  symbolClass,
  walk,
  nameOf,
  parts,
  type BoundColumn,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { literal, type Scalar } from "../../plan/scalar.ts";
import {
  findColumn,
  projected,
  tableOfRelation,
  use,
  type Table,
  type Translation,
  translateTabular,
} from "../translation.ts";
import { scalarType } from "../types.ts";
import { allColumns, databaseTables, wildcardOf, type Source } from "./database-tables.ts";
import { parameterText } from "./operator.ts";
import type { Operator } from "./operator.ts";

export const unionOperators: Readonly<Record<string, Operator>> = {
  UnionOperator: translateUnion,
};

function translateUnion(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const sources: Source[] = input === undefined ? [] : [{ table: input, name: "union_arg0" }];
  for (const one of parts(node, "Expressions")) {
    sources.push(...memberSources(one, node, sources.length, state));
  }
  const source = parameterText(node, "withsource") ?? parameterText(node, "source");
  // The binder knows no views of the query by a pattern.
  const bound = columnsOf(node);
  return united(sources, bound.length === 0 ? allColumns(sources) : bound, source, state);
}

function memberSources(
  member: SyntaxNode,
  union: SyntaxNode,
  position: number,
  state: Translation,
): Source[] {
  const pattern = wildcardOf(member);
  if (pattern !== undefined) return databaseTables(union, state, pattern);
  const isFuzzy = parameterText(union, "isfuzzy")?.toLowerCase() === "true";
  if (isFuzzy && !isResolved(member)) return [];
  const table = renewed(translateTabular(member, state), state);
  const symbol = member.ReferencedSymbol;
  const isStored = symbol !== null && symbol !== undefined && state.tableOf(symbol) !== undefined;
  const isNamed = isStored || symbolClass(member) === "FunctionSymbol";
  return [{ table, name: isNamed ? nameOf(member) : `union_arg${String(position)}` }];
}

/** Whether all names stand for something; a fuzzy union leaves out what does not exist. */
function isResolved(node: SyntaxNode): boolean {
  for (const one of walk(node)) {
    if (kindOf(one) === "NameReference" && symbolClass(one) === "") return false;
  }
  return true;
}

/** All rows under common columns; what a table does not have is null there. */
export function united(
  sources: readonly Source[],
  bound: readonly BoundColumn[],
  sourceColumn: string | undefined,
  state: Translation,
): Table {
  const columns = bound.map(({ name, type }) => state.newColumn(name, scalarType(type)));
  const group = sources[0]?.table.group ?? [];
  const origins = originsOf(sources, columns, sourceColumn);
  const inputs = sources.map(({ table, name }) => {
    const made = projected({ ...table, order: [], group: [] }, [
      ...group.map((column) => ({ column: state.newColumn("", column.type), value: use(column) })),
      ...columns.map((column) => ({
        column: state.newColumn(column.name, column.type),
        value:
          column.name === sourceColumn
            ? literal("string", name)
            : valueFor(column, origins.get(column), table),
      })),
    ]);
    return { ...made.relation, order: [] };
  });
  const made = tableOfRelation({
    kind: "union",
    inputs,
    columns: [...group, ...columns],
    order: [],
  });
  return { ...made, columns, group };
}

/**
 * The name that a column of the union has in its sources. The binder lists each name and type once,
 * in the order of the sources, and renames where types clash.
 */
function originsOf(
  sources: readonly Source[],
  columns: readonly Column[],
  sourceColumn: string | undefined,
): ReadonlyMap<Column, string> {
  const pairs = new Map<string, Column>();
  for (const { table } of sources) {
    for (const column of table.columns) {
      const key = `${column.type} ${column.name}`;
      if (!pairs.has(key)) pairs.set(key, column);
    }
  }
  const own = columns.filter(({ name }) => name !== sourceColumn);
  const all = [...pairs.values()];
  const isWhole = all.length === own.length && own.every((one, at) => one.type === all[at]?.type);
  return new Map(own.map((column, at) => [column, isWhole ? (all[at]?.name ?? "") : column.name]));
}

function valueFor({ type }: Column, origin: string | undefined, table: Table): Scalar {
  const found = origin === undefined ? undefined : findColumn(table, origin);
  return found?.type === type ? use(found) : literal(type, null);
}

import { KqlError } from "../../kql-error.ts";
import {
  columnsOf,
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  type BoundColumn,
  type SyntaxNode,
} from "../../language/syntax.ts";
import { literal, type Scalar } from "../../plan/scalar.ts";
import { arranged, renewed } from "../table-shapes.ts";
import { use, withHidden, type Table, type Translation, translateTabular } from "../translation.ts";
import { allColumns, databaseTables, type Source } from "./database-tables.ts";
import { parameterText, type Operator } from "./operator.ts";
import { filtered } from "./row-operators.ts";
import { searchCondition } from "./search-terms.ts";
import { united } from "./union.ts";

/** Operators that look through several tables at once. */
export const databaseOperators: Readonly<Record<string, Operator>> = {
  SearchOperator: translateSearch,
  FindOperator: translateFind,
};

function translateSearch(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const sources =
    input === undefined ? sourcesOf(node, state) : [{ table: input, name: "search_arg0" }];
  const isCased = parameterText(node, "kind")?.toLowerCase() === "case_sensitive";
  const all = together(sources, "$table", state);
  const test = searchCondition(part(node, "Condition"), searchable(all, "$table"), state, isCased);
  return arranged(filtered(all, test, state), withKnown(columnsOf(node), all), state);
}

/** `find`: columns that are asked for, and all others of a row in one bag. */
function translateFind(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  if (input !== undefined) throw new KqlError("semantic", "find does not follow a '|'.");
  const source = parameterText(node, "withsource") ?? "source_";
  const bound = columnsOf(node);
  const shown = new Set(bound.map(({ name }) => name));
  const pack = bound.find(({ name, type }) => type === "dynamic" && /^pack_\d*$/.test(name));
  const sources = sourcesOf(node, state).map(({ table, name }): Source => {
    return { name, table: pack === undefined ? table : packed(table, pack.name, shown, state) };
  });
  const all = together(sources, source, state);
  const test = searchCondition(part(node, "Condition"), searchable(all, source), state, false);
  return arranged(filtered(all, test, state), withKnown(bound, all), state);
}

function packed(table: Table, name: string, shown: ReadonlySet<string>, state: Translation): Table {
  const column = state.newColumn(name, "dynamic");
  const args = table.columns
    .filter((one) => !shown.has(one.name))
    .flatMap((one): Scalar[] => [literal("string", one.name), use(one)]);
  const value: Scalar = { kind: "call", name: "bag_pack", args, type: "dynamic" };
  const made = withHidden(table, [{ column, value }]);
  return { ...made, columns: [...made.columns, column] };
}

/** `in (A, B*)`, or all tables of the database. */
function sourcesOf(node: SyntaxNode, state: Translation): Source[] {
  const clause = maybe(node, "InClause");
  if (clause === undefined) return databaseTables(node, state);
  return parts(clause, "Expressions").flatMap((one): Source[] => {
    const name = kindOf(one) === "NameReference" ? nameOf(one) : "";
    if (name.includes("*")) return databaseTables(node, state, name);
    return [{ name: name === "" ? "union_arg0" : name, table: translateTabular(one, state) }];
  });
}

/** All rows of the tables under all of their columns. */
function together(sources: readonly Source[], source: string, state: Translation): Table {
  if (sources.length === 0) {
    throw new KqlError("semantic", "There is no table to search in.", { code: "SEM0100" });
  }
  const columns = allColumns(sources);
  const fresh = sources.map(({ name, table }) => ({ name, table: renewed(table, state) }));
  return united(fresh, [{ name: source, type: "string" }, ...columns], source, state);
}

function searchable(table: Table, source: string): Table {
  return { ...table, columns: table.columns.filter(({ name }) => name !== source) };
}

/** Columns as the binder tells; views of the query are unknown to it, so all of theirs follow. */
function withKnown(bound: readonly BoundColumn[], table: Table): BoundColumn[] {
  const known = new Set(table.columns.map(({ name }) => name));
  const found = bound.filter(({ name }) => known.has(name));
  return found.length > 1 ? found : table.columns.map(({ name, type }) => ({ name, type }));
}

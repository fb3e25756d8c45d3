import { scalarOf } from "./scalars.ts";
import { tabularOf } from "./tables.ts";
import { oneRow } from "./table-shapes.ts";
import { KqlError } from "../kql-error.ts";
import type { BoundText } from "../language/bind.ts";
import {
  isTabular,
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  textOf,
  type KqlSymbol,
  type SyntaxNode,
} from "../language/syntax.ts";
import type { Column } from "../plan/relation.ts";
import { literal } from "../plan/scalar.ts";
import type { KqlType } from "../types.ts";
import { bindLet } from "./lets.ts";
import { literalOf, parseLiteral } from "./literals.ts";
import {
  NO_SCOPE,
  projected,
  type Table,
  type CallerFacts,
  type FetchExternal,
  type Translation,
  type Visualization,
  translateScalar,
  translateTabular,
} from "./translation.ts";
import { scalarType } from "./types.ts";

/** What a translation needs to know besides the text. */
export interface QueryContext {
  readonly database: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly caller: CallerFacts | undefined;
  readonly fetchExternal: FetchExternal | undefined;
  readonly clusterUri: string;
}

/** One result of a query. */
export interface Result {
  readonly table: Table;
  readonly visualization: Visualization | undefined;
}

/** A bound query as plans, one for every statement that gives rows. */
export function translateQuery(
  bound: BoundText,
  context: QueryContext,
): { results: Result[]; isPersonal: boolean } {
  let next = 0;
  const state: Translation = {
    ...context,
    scalar: scalarOf,
    tabular: tabularOf,
    newColumn: (name: string, type: KqlType): Column => ({ id: next++, name, type }),
    bindings: new Map<KqlSymbol, never>(),
    tableOf: bound.tableOf,
    tables: bound.tables,
    root: bound.root,
    options: new Map(),
    isPersonal: false,
    visualization: undefined,
    furtherTables: [],
    depth: 0,
  };
  const results: Result[] = [];
  for (const statement of parts(bound.root, "Statements")) {
    const table = translateStatement(statement, state);
    if (table === undefined) continue;
    for (const one of [table, ...state.furtherTables.splice(0)]) {
      results.push({ table: one, visualization: state.visualization });
    }
    state.visualization = undefined;
  }
  if (results.length === 0)
    throw new KqlError("syntax", "The query has no statement that gives rows.");
  return { results, isPersonal: state.isPersonal };
}

function translateStatement(statement: SyntaxNode, state: Translation): Table | undefined {
  switch (kindOf(statement)) {
    case "LetStatement":
      bindLet(statement, state);
      return undefined;
    case "PatternStatement":
      return undefined;
    case "ExpressionStatement":
      return translateResult(part(statement, "Expression"), state);
    case "QueryParametersStatement":
      bindParameters(statement, state);
      return undefined;
    case "SetOptionStatement": {
      const clause = maybe(statement, "ValueClause");
      const value = clause === undefined ? undefined : part(clause, "Expression");
      state.options.set(nameOf(part(statement, "Name")).toLowerCase(), value);
      return undefined;
    }
    default:
      throw new KqlError("unsupported", `"${textOf(statement)}" is not supported yet.`);
  }
}

/** A statement may also be a scalar: a table of one cell. */
function translateResult(node: SyntaxNode, state: Translation): Table {
  if (isTabular(node) || /Operator$|^PipeExpression$/.test(kindOf(node))) {
    return translateTabular(node, state);
  }
  const value = translateScalar(node, NO_SCOPE, state);
  return projected(oneRow(state), [{ column: state.newColumn("print_0", value.type), value }]);
}

function bindParameters(statement: SyntaxNode, state: Translation): void {
  for (const declaration of parts(statement, "Parameters")) {
    const nameAndType = part(declaration, "NameAndType");
    const name = nameOf(part(nameAndType, "Name"));
    const symbol = part(nameAndType, "Name").ReferencedSymbol;
    const type = scalarType(textOf(part(nameAndType, "Type")));
    if (symbol === null || symbol === undefined) continue;
    const given = state.parameters.get(name);
    const value = given === undefined ? defaultOf(declaration, name) : parseLiteral(type, given);
    state.bindings.set(symbol, { kind: "scalar", value: literal(type, value) });
  }
}

function defaultOf(declaration: SyntaxNode, name: string): ReturnType<typeof parseLiteral> {
  const clause = maybe(declaration, "DefaultValue");
  const found = clause === undefined ? undefined : literalOf(part(clause, "Value"));
  if (found !== undefined) return found.value;
  throw new KqlError("semantic", `The query parameter '${name}' has no value.`, {
    code: "SEM0001",
  });
}

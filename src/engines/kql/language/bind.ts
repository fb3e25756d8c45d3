import { KqlError } from "../kql-error.ts";
import type { ClusterSchema, DatabaseSchema, FunctionSchema, TableSchema } from "../types.ts";
import { kusto } from "./kusto.ts";
import type { KqlSymbol, SyntaxNode } from "./syntax.ts";

/** A text, parsed and bound to a schema. */
export interface BoundText {
  /** `QueryBlock` or `CommandBlock`. */
  readonly root: SyntaxNode;
  readonly kind: "query" | "command";
  readonly diagnostics: readonly Diagnostic[];
  readonly hasSemantics: boolean;
  readonly tableOf: (symbol: KqlSymbol) => TableSchema | undefined;
  /** All tables of the database that the text is about. */
  readonly tables: readonly TableSchema[];
}

export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly length: number;
}

type Globals = Kusto.Language.GlobalState;

const tableSymbols = new WeakMap<TableSchema, Kusto.Language.Symbols.TableSymbol>();
const functionSymbols = new WeakMap<FunctionSchema, Kusto.Language.Symbols.FunctionSymbol>();
const schemas = new WeakMap<object, TableSchema>();
const globalsOf = new WeakMap<ClusterSchema, Map<string, Globals>>();

/** Parses and binds a text in a database; parser faults come back as `KqlError`. */
export function bind(text: string, cluster: ClusterSchema, database: string): BoundText {
  const globals = globalsFor(cluster, database);
  const code = guarded(() => kusto().KustoCode.ParseAndAnalyze(text, globals));
  // The parser's own types say that everything may be null; a parsed text has a root.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const root = code.Syntax as unknown as SyntaxNode;
  return {
    root,
    kind: code.Kind === "Command" ? "command" : "query",
    diagnostics: errorsOf(code),
    hasSemantics: code.HasSemantics,
    tableOf: (symbol) => schemas.get(symbol),
    tables: cluster.databases.find(({ name }) => name === database)?.tables ?? [],
  };
}

// What the parser throws is no `Error`, and says nothing that its caller could use.
function guarded<T>(work: () => T | null): T {
  try {
    const result = work();
    if (result !== null) return result;
  } catch (error) {
    throw new KqlError("syntax", `The text cannot be parsed: ${String(error)}`);
  }
  throw new KqlError("syntax", "The text cannot be parsed.");
}

function errorsOf(code: Kusto.Language.KustoCode): Diagnostic[] {
  const list = code.GetDiagnostics();
  const all: Diagnostic[] = [];
  for (let index = 0; index < (list?.Count ?? 0); index++) {
    const one = list?.getItem(index);
    if (one === null || one === undefined || one.Severity !== "Error") continue;
    all.push({
      code: one.Code ?? "",
      message: one.Message ?? "",
      start: one.Start,
      length: one.Length,
    });
  }
  return all;
}

function globalsFor(cluster: ClusterSchema, database: string): Globals {
  const { Symbols } = kusto();
  const known = globalsOf.get(cluster) ?? new Map<string, Globals>();
  globalsOf.set(cluster, known);
  const cached = known.get(database);
  if (cached !== undefined) return cached;
  const databases = cluster.databases.map(databaseSymbol);
  const index = cluster.databases.findIndex(({ name }) => name === database);
  const current = databases[index] ?? null;
  const made = kusto().GlobalState.Default?.WithCluster(
    new Symbols.ClusterSymbol.$ctor1("atoll", enumerable(databases), false),
  );
  const globals = current === null ? made : made?.WithDatabase(current);
  if (globals === null || globals === undefined) throw new Error("The parser has no globals");
  known.set(database, globals);
  return globals;
}

function databaseSymbol(database: DatabaseSchema): Kusto.Language.Symbols.DatabaseSymbol {
  const { Symbols } = kusto();
  const members = [...database.tables.map(tableSymbol), ...database.functions.map(functionSymbol)];
  return new Symbols.DatabaseSymbol.$ctor3(
    database.name,
    database.prettyName,
    enumerable(members),
    false,
  );
}

function tableSymbol(table: TableSchema): Kusto.Language.Symbols.TableSymbol {
  const { Symbols } = kusto();
  const known = tableSymbols.get(table);
  if (known !== undefined) return known;
  const columns = table.columns.map(({ name, type }) => {
    return new Symbols.ColumnSymbol(name, scalarSymbol(type), "", null, null, null);
  });
  const symbol = new Symbols.TableSymbol.$ctor4(table.name, columns);
  tableSymbols.set(table, symbol);
  schemas.set(symbol, table);
  return symbol;
}

function functionSymbol(one: FunctionSchema): Kusto.Language.Symbols.FunctionSymbol {
  const { Symbols } = kusto();
  const known = functionSymbols.get(one);
  if (known !== undefined) return known;
  const { name, parameters, body, docString } = one;
  const symbol = new Symbols.FunctionSymbol.$ctor16(name, parameters, body, docString);
  functionSymbols.set(one, symbol);
  return symbol;
}

function scalarSymbol(type: string): Kusto.Language.Symbols.ScalarSymbol {
  const { ScalarTypes } = kusto().Symbols;
  const all = {
    bool: ScalarTypes.Bool,
    int: ScalarTypes.Int,
    long: ScalarTypes.Long,
    real: ScalarTypes.Real,
    decimal: ScalarTypes.Decimal,
    string: ScalarTypes.String,
    datetime: ScalarTypes.DateTime,
    timespan: ScalarTypes.TimeSpan,
    guid: ScalarTypes.Guid,
    dynamic: ScalarTypes.Dynamic,
  };
  const found = Object.entries(all).find(([name]) => name === type)?.[1];
  if (found === null || found === undefined) throw new Error(`There is no type ${type}`);
  return found;
}

/** The parser takes arrays where its types ask for .NET sequences. */
function enumerable<T>(items: readonly T[]): System.Collections.Generic.IEnumerable$1<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return items as unknown as System.Collections.Generic.IEnumerable$1<T>;
}

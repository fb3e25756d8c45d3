import { argumentsOf } from "./call-parts.ts";
import { KqlError } from "../kql-error.ts";
import {
  calledBody,
  isTabular,
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  symbolClass,
  walk,
  type KqlSymbol,
  type SyntaxNode,
} from "../language/syntax.ts";
import type { Scalar } from "../plan/scalar.ts";
import { cast } from "../plan/scalar.ts";
import { bindLet } from "./lets.ts";
import { literalOf } from "./literals.ts";
import {
  NO_SCOPE,
  type Binding,
  type Scope,
  type Table,
  type Translation,
  translateScalar,
  translateTabular,
} from "./translation.ts";
import { isScalarType, scalarType } from "./types.ts";

/** How deep functions may call each other; the language has no recursion. */
const CALL_DEPTH_MAX = 64;

/** A call of a stored function or of a `let` function that gives a table. */
export function inlineTabularFunction(
  call: SyntaxNode,
  body: SyntaxNode,
  state: Translation,
): Table {
  return inBody(call, body, NO_SCOPE, state, (result) => translateTabular(result, state));
}

/** A function after `invoke`: what stands before the `|` is its first argument. */
export function inlineInvokedFunction(call: SyntaxNode, input: Table, state: Translation): Table {
  const body = calledBody(call);
  if (body === undefined) {
    throw new KqlError("semantic", `'${nameOf(call)}' is no function that can be invoked.`);
  }
  const scope = { invoked: input };
  return inBody(call, body, scope, state, (result) => translateTabular(result, state));
}

/** The same for a function that gives a scalar; its arguments see the caller's columns. */
export function inlineScalarFunction(
  call: SyntaxNode,
  body: SyntaxNode,
  scope: Scope,
  state: Translation,
): Scalar {
  return inBody(call, body, scope, state, (result) => translateScalar(result, scope, state));
}

function inBody<T>(
  ...[call, body, scope, state, translate]: [
    SyntaxNode,
    SyntaxNode,
    Scope,
    Translation,
    (result: SyntaxNode) => T,
  ]
): T {
  if (state.depth >= CALL_DEPTH_MAX) {
    throw new KqlError("limit", `Functions may call each other ${String(CALL_DEPTH_MAX)} deep.`);
  }
  state.depth++;
  try {
    bindArguments(call, body, scope, state);
    for (const statement of parts(body, "Statements")) {
      if (kindOf(statement) === "LetStatement") bindLet(statement, state);
    }
    return translate(part(body, "Expression"));
  } finally {
    state.depth--;
  }
}

/** Parameters are variables in the bound body; each is found where the body uses it. */
function bindArguments(call: SyntaxNode, body: SyntaxNode, scope: Scope, state: Translation): void {
  const values = argumentBindings(call, scope, state);
  if (values.size === 0) return;
  const statements = parts(body, "Statements");
  const declared = new Set(statements.map((one) => maybe(one, "Name")?.ReferencedSymbol));
  for (const symbol of variablesOf(body)) {
    const binding = declared.has(symbol) ? undefined : values.get(symbol.Name);
    if (binding !== undefined) state.bindings.set(symbol, binding);
  }
}

const VARIABLES = new Set(["VariableSymbol", "ParameterSymbol"]);

function* variablesOf(body: SyntaxNode): Generator<KqlSymbol> {
  for (const node of walk(body)) {
    const symbol = node.ReferencedSymbol;
    if (symbol === null || symbol === undefined || kindOf(node) !== "NameReference") continue;
    if (VARIABLES.has(symbolClass(node))) yield symbol;
  }
}

interface ParameterSymbol extends KqlSymbol {
  readonly DefaultValue?: SyntaxNode | null;
  readonly DeclaredTypes?: SymbolList;
}

interface FunctionSymbol extends KqlSymbol {
  readonly Signatures?: {
    readonly getItem: (index: number) => { readonly Parameters: ParameterList };
  };
}

interface SymbolList {
  readonly Count: number;
  readonly getItem: (index: number) => KqlSymbol;
}

interface ParameterList {
  readonly Count: number;
  readonly getItem: (index: number) => ParameterSymbol;
}

function argumentBindings(
  call: SyntaxNode,
  scope: Scope,
  state: Translation,
): ReadonlyMap<string, Binding> {
  const parameters = parametersOf(call);
  const bindings = invokedBinding(parameters, scope);
  const given = argumentsOf(call);
  const named = new Map(
    given
      .filter((one) => isNamed(one))
      .map((one) => [nameOf(part(one, "Name")), part(one, "Expression")]),
  );
  const positional = given.filter((one) => !isNamed(one));
  for (const parameter of parameters.slice(bindings.size)) {
    const node = named.get(parameter.Name) ?? positional.shift() ?? parameter.DefaultValue;
    if (node === undefined || node === null) continue;
    bindings.set(parameter.Name, bindingOf(node, parameter, scope, state));
  }
  return bindings;
}

/** What `invoke` hands over is the first argument. */
function invokedBinding(
  [first]: readonly ParameterSymbol[],
  { invoked }: Scope,
): Map<string, Binding> {
  if (first === undefined || invoked === undefined) return new Map();
  return new Map([[first.Name, { kind: "table", table: invoked }]]);
}

function isNamed(node: SyntaxNode): boolean {
  return kindOf(node) === "SimpleNamedExpression";
}

function parametersOf(call: SyntaxNode): ParameterSymbol[] {
  // The parser's type says only that this is a symbol; what a call refers to is a function.
  const symbol: FunctionSymbol | null | undefined = call.ReferencedSymbol;
  const list = symbol?.Signatures?.getItem(0).Parameters;
  if (list === undefined) return [];
  return Array.from({ length: list.Count }, (_one, index) => list.getItem(index));
}

function bindingOf(
  node: SyntaxNode,
  parameter: ParameterSymbol,
  scope: Scope,
  state: Translation,
): Binding {
  if (isTabular(node)) return { kind: "table", table: translateTabular(node, state) };
  const value = literalOf(node) ?? translateScalar(node, scope, state);
  const types = parameter.DeclaredTypes;
  const declared = types === undefined || types.Count === 0 ? undefined : types.getItem(0);
  const isTyped = declared !== undefined && isScalarType(declared.Name);
  return { kind: "scalar", value: isTyped ? cast(value, scalarType(declared.Name)) : value };
}

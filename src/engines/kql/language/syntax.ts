import { className, enumName, kusto } from "./kusto.ts";

/** A list as the parser makes them. */
interface NetList<T> {
  readonly Count: number;
  readonly getItem: (index: number) => T;
}

/** A symbol that a name refers to. Compared by identity. */
export interface KqlSymbol {
  readonly Name: string;
}

interface TypeSymbol extends KqlSymbol {
  readonly Columns?: NetList<ColumnSymbol> | null;
  readonly IsOpen?: boolean;
}

interface ColumnSymbol extends KqlSymbol {
  readonly Type: TypeSymbol;
}

/** A node of the bound tree, narrowed to what is read here. */
export interface SyntaxNode {
  readonly Kind: number;
  readonly ChildCount: number;
  readonly GetChild: (index: number) => SyntaxNode | null;
  readonly NameInParent: string | null;
  readonly Parent: SyntaxNode | null;
  readonly TextStart: number;
  readonly Width: number;
  readonly ResultType?: TypeSymbol | null;
  readonly ReferencedSymbol?: KqlSymbol | null;
  readonly Text?: string;
  readonly toString: () => string;
  readonly ValueText?: string;
  readonly SimpleName?: string | null;
  readonly GetCalledFunctionBody?: () => SyntaxNode | null;
}

/** Column as the binder names and types it. */
export interface BoundColumn {
  readonly name: string;
  /** A scalar type's name, or `unknown`. */
  readonly type: string;
}

const KIND_NAMES = new Map<number, string>();

/** The kind of a node: `FilterOperator`, `AddExpression`, … */
export function kindOf(node: SyntaxNode): string {
  const known = KIND_NAMES.get(node.Kind);
  if (known !== undefined) return known;
  const name = enumName(kusto().Syntax.SyntaxKind, node.Kind);
  KIND_NAMES.set(node.Kind, name);
  return name;
}

/** The child of this name, if it is there and not empty. */
export function maybe(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    if (child?.NameInParent === name) return child;
  }
  return undefined;
}

/** The child of this name; every tree that binds without errors has it. */
export function part(node: SyntaxNode, name: string): SyntaxNode {
  const child = maybe(node, name);
  if (child === undefined) throw new Error(`${kindOf(node)} has no ${name}`);
  return child;
}

/** The elements of the list of this name, without separators; none when there is no list. */
export function parts(node: SyntaxNode, name: string): SyntaxNode[] {
  const list = maybe(node, name);
  return list === undefined ? [] : elements(list);
}

/** The elements of a list node, without separators. */
export function elements(list: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let index = 0; index < list.ChildCount; index++) {
    const child = list.GetChild(index);
    if (child === null) continue;
    all.push(kindOf(child) === "SeparatedElement" ? (child.GetChild(0) ?? child) : child);
  }
  return all;
}

/** The node as written, without what stands before it. */
export function textOf(node: SyntaxNode): string {
  return node.toString().trim();
}

/** The name that a declaration or a reference spells, unquoted. */
export function nameOf(node: SyntaxNode): string {
  if (typeof node.SimpleName === "string" && node.SimpleName !== "") return node.SimpleName;
  const inner = maybe(node, "Name");
  return inner === undefined ? (node.ValueText ?? textOf(node)) : nameOf(inner);
}

/** The class of the symbol that a node refers to, such as `ColumnSymbol`; "" when to none. */
export function symbolClass(node: SyntaxNode): string {
  const symbol = node.ReferencedSymbol;
  return symbol === null || symbol === undefined ? "" : className(symbol);
}

/** The type's name of an expression: a scalar type, `tuple`, `unknown`, or a table's name. */
export function typeName(node: SyntaxNode): string {
  return node.ResultType?.Name ?? "unknown";
}

/** Whether the expression is a table: it has columns of its own. */
export function isTabular(node: SyntaxNode): boolean {
  const type = node.ResultType;
  return type !== null && type !== undefined && className(type) === "TableSymbol";
}

/** Whether the expression is a graph. */
export function isGraphNode(node: SyntaxNode): boolean {
  const type = node.ResultType;
  return type !== null && type !== undefined && className(type) === "GraphSymbol";
}

/** The columns of a tabular or tuple expression, as the binder sees them. */
export function columnsOf(node: SyntaxNode): BoundColumn[] {
  const columns = node.ResultType?.Columns;
  if (columns === null || columns === undefined) return [];
  const all: BoundColumn[] = [];
  for (let index = 0; index < columns.Count; index++) {
    const column = columns.getItem(index);
    all.push({ name: column.Name, type: column.Type.Name });
  }
  return all;
}

/** The bound body of the function that a call or a bare name stands for. */
export function calledBody(node: SyntaxNode): SyntaxNode | undefined {
  return node.GetCalledFunctionBody?.() ?? undefined;
}

/** All nodes of a tree, parents first. */
export function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    if (child !== null) yield* walk(child);
  }
}

export function positionOf(node: SyntaxNode): { start: number; length: number } {
  return { start: node.TextStart, length: node.Width };
}

import {
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  textOf,
  type BoundColumn,
  type SyntaxNode,
} from "../../language/syntax.ts";
import { bindLet } from "../lets.ts";
import { storedTable } from "../table-shapes.ts";
import { translateTabular, type Table, type Translation } from "../translation.ts";

/** A table under the name that the language calls it. */
export interface Source {
  readonly table: Table;
  readonly name: string;
}

/** The pattern of a name with `*` in it. */
export function wildcardOf(node: SyntaxNode): string | undefined {
  const name = kindOf(node) === "NameReference" ? maybe(node, "Name") : undefined;
  return name !== undefined && kindOf(name) === "WildcardedName" ? textOf(name) : undefined;
}

/** The views of the query and the tables of the database whose names have the pattern. */
export function databaseTables(node: SyntaxNode, state: Translation, pattern = "*"): Source[] {
  const literal = pattern.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`);
  const names = new RegExp(`^${literal.replaceAll("*", ".*")}$`, "s");
  const views = viewsBefore(node).filter((view) => names.test(nameOf(part(view, "Name"))));
  const tables = state.tables.filter(({ name }) => names.test(name));
  return [
    ...views.map((view) => ({ name: nameOf(part(view, "Name")), table: viewTable(view, state) })),
    ...tables.map((schema) => ({ name: schema.name, table: storedTable(schema, state) })),
  ];
}

/** The statements `let X = view () { … }` of the query. */
function viewsBefore(node: SyntaxNode): SyntaxNode[] {
  let block: SyntaxNode = node;
  while (block.Parent !== null) block = block.Parent;
  return parts(block, "Statements").filter((statement) => {
    if (kindOf(statement) !== "LetStatement" || statement.TextStart > node.TextStart) return false;
    const expression = part(statement, "Expression");
    return kindOf(expression) === "FunctionDeclaration" && /^view\b/.test(textOf(expression));
  });
}

function viewTable(view: SyntaxNode, state: Translation): Table {
  const body = part(part(view, "Expression"), "Body");
  for (const statement of parts(body, "Statements")) {
    if (kindOf(statement) === "LetStatement") bindLet(statement, state);
  }
  return translateTabular(part(body, "Expression"), state);
}

/** Every column of the tables; those of one name and several types part. */
export function allColumns(sources: readonly Source[]): BoundColumn[] {
  const types = new Map<string, Set<string>>();
  for (const { name, type } of sources.flatMap(({ table }) => table.columns)) {
    types.set(name, (types.get(name) ?? new Set()).add(type));
  }
  return [...types].flatMap(([name, found]): BoundColumn[] => {
    if (found.size === 1) return [...found].map((type) => ({ name, type }));
    return [...found].map((type) => ({ name: `${name}_${type}`, type }));
  });
}

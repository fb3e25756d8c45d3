import { KqlError } from "../../kql-error.ts";
import {
  columnsOf,
  kindOf,
  nameOf,
  part,
  parts,
  positionOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../../plan/scalar.ts";
import type { KqlType } from "../../types.ts";
import { literalOf } from "../literals.ts";
import { type NewValue, type Table, type Translation } from "../translation.ts";
import { scalarType } from "../types.ts";
import { replaced } from "./column-operators.ts";
import { inputOf, parameterText, scalarOver } from "./operator.ts";
import type { Operator } from "./operator.ts";
import { filtered } from "./row-operators.ts";

/** Operators that take texts apart. */
export const parseOperators: Readonly<Record<string, Operator>> = {
  ParseOperator: (node, input, state) => {
    const { table, values } = parsed(node, inputOf(input, node), state);
    return replaced(table, values, columnsOf(node), state);
  },
  ParseWhereOperator: (node, input, state) => {
    const { table, values, test } = parsed(node, inputOf(input, node), state);
    return replaced(filtered(table, test, state), values, columnsOf(node), state);
  },
};

interface Parsed {
  readonly table: Table;
  readonly values: readonly NewValue[];
  /** Whether a row has the form of the pattern. */
  readonly test: Scalar;
}

/** The whole pattern as one regular expression; each column is a group of it. */
function parsed(node: SyntaxNode, table: Table, state: Translation): Parsed {
  const kind = (parameterText(node, "kind") ?? "simple").toLowerCase();
  const text = cast(scalarOver(part(node, "Expression"), table, state), "string");
  const { regex, columns } = patternOf(node, kind);
  const flags = parameterText(node, "flags") ?? "";
  const pattern = literal("string", `(?${flagsOf(flags)})${regex}`);
  const values = columns.map(({ name, type, group }): NewValue => {
    const found = call("extract", "string", pattern, literal("int", group), text);
    return { column: state.newColumn(name, type), value: cast(found, type) };
  });
  return { table, values, test: call("matches regex", "bool", text, pattern) };
}

function flagsOf(flags: string): string {
  return [...new Set(`s${flags.replaceAll(/[^imsU]/g, "")}`)].join("");
}

interface PatternColumn {
  readonly name: string;
  readonly type: KqlType;
  readonly group: number;
}

const TYPE_PATTERNS: Partial<Readonly<Record<KqlType, string>>> = {
  int: String.raw`[-+]?\d+`,
  long: String.raw`[-+]?\d+`,
  real: String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`,
  decimal: String.raw`[-+]?(?:\d+\.?\d*|\.\d+)`,
};

function patternOf(node: SyntaxNode, kind: string): { regex: string; columns: PatternColumn[] } {
  const columns: PatternColumn[] = [];
  let regex = "^";
  let groups = 0;
  const patterns = parts(node, "Patterns");
  patterns.forEach((one, index) => {
    const text = literalOf(one)?.value;
    if (typeof text === "string") {
      regex += kind === "regex" ? `(?:${text})` : escaped(text);
      groups += kind === "regex" ? countGroups(text) : 0;
    } else if (kindOf(one) === "StarExpression") {
      regex += kind === "regex" ? ".*" : ".*?";
    } else {
      groups++;
      const column = declared(one);
      columns.push({ ...column, group: groups });
      const isLast = index === patterns.length - 1;
      regex += `(${groupPattern(column.type, kind, isLast)})`;
    }
  });
  return { regex: `${regex}$`, columns };
}

function groupPattern(type: KqlType, kind: string, isLast: boolean): string {
  const any = isLast || kind === "regex" ? ".*" : ".*?";
  const typed = TYPE_PATTERNS[type];
  if (typed === undefined) return any;
  // Relaxed: what is not of the type matches too, and gives null.
  return kind === "relaxed" ? `${typed}|${any}` : typed;
}

function declared(node: SyntaxNode): { name: string; type: KqlType } {
  if (kindOf(node) === "NameAndTypeDeclaration") {
    const type = part(node, "Type").toString().trim();
    return { name: nameOf(part(node, "Name")), type: scalarType(type) };
  }
  if (kindOf(node) === "NameDeclaration") return { name: nameOf(node), type: "string" };
  throw new KqlError("semantic", "A pattern of parse is made of texts, columns and *.", {
    position: positionOf(node),
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Groups that capture; `(?:…)` and escaped parentheses do not. */
function countGroups(regex: string): number {
  return [...regex.replaceAll(/\\./g, "").matchAll(/\((?!\?)|\(\?P</g)].length;
}

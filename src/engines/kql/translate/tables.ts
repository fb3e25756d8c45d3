import { renewed, storedTable } from "./table-shapes.ts";
import { KqlError } from "../kql-error.ts";
import {
  calledBody,
  columnsOf,
  kindOf,
  nameOf,
  part,
  parts,
  positionOf,
  textOf,
  type SyntaxNode,
} from "../language/syntax.ts";
import type { Column, Relation, SortKey } from "../plan/relation.ts";
import type { KqlType, KqlValue } from "../types.ts";
import { isGraph } from "./graphs/make-graph.ts";
import { patternResult } from "./patterns.ts";
import { inlineTabularFunction } from "./function-bodies.ts";
import { operators } from "./operators/operators.ts";
import { ORDINAL } from "./operators/serialize.ts";
import { use } from "./translation.ts";
import {
  NO_SCOPE,
  type Table,
  type Translation,
  translateScalar,
  translateTabular,
  unsupported,
} from "./translation.ts";
import { scalarType } from "./types.ts";

/** A bound tabular expression as plan. */
export function tabularOf(node: SyntaxNode, state: Translation, input?: Table): Table {
  const kind = kindOf(node);
  switch (kind) {
    case "PipeExpression": {
      const source = translateTabular(part(node, "Expression"), state, input);
      return translateTabular(part(node, "Operator"), state, source);
    }
    case "ParenthesizedExpression":
    case "MaterializeExpression":
      return translateTabular(part(node, "Expression"), state, input);
    case "NameReference":
    case "FunctionCallExpression":
    case "PathExpression":
      return translateReference(node, state);
    case "DataTableExpression":
      return translateDataTable(node, state);
    default: {
      const operator = Object.hasOwn(operators, kind) ? operators[kind] : undefined;
      if (operator === undefined)
        throw unsupported(node, `${describe(node)} is not supported yet.`);
      return operator(node, input, state);
    }
  }
}

function describe(node: SyntaxNode): string {
  const [word = ""] = textOf(node).split(/\s/, 1);
  return `The operator ${word}`;
}

/** A name of a table, a variable or a function, or `materialize(…)`, `database("x").T`, … */
function translateReference(node: SyntaxNode, state: Translation): Table {
  const symbol = node.ReferencedSymbol ?? undefined;
  const binding = symbol === undefined ? undefined : state.bindings.get(symbol);
  if (binding?.kind === "table") return usedAgain(binding.table, state);
  const pattern = patternResult(node, state);
  if (pattern !== undefined) return pattern;
  const body = calledBody(node);
  if (body !== undefined) return inlineTabularFunction(node, body, state);
  const schema = symbol === undefined ? undefined : state.tableOf(symbol);
  if (schema !== undefined) return storedTable(schema, state);
  const inner = referenceWithin(node);
  if (inner !== undefined) return translateTabular(inner, state);
  throw new KqlError("semantic", `'${textOf(node)}' does not refer to a table that can be read.`, {
    position: positionOf(node),
    code: "SEM0100",
  });
}

// The tables of a graph are renewed where they are taken out of it.
function usedAgain(table: Table, state: Translation): Table {
  return isGraph(table) ? table : renewed(table, state);
}

const WRAPPERS = new Set(["materialize", "view", "table"]);

function referenceWithin(node: SyntaxNode): SyntaxNode | undefined {
  if (kindOf(node) === "PathExpression") return part(node, "Selector");
  if (kindOf(node) !== "FunctionCallExpression" || !WRAPPERS.has(nameOf(node))) return undefined;
  return parts(part(node, "ArgumentList"), "Expressions")[0];
}

function translateDataTable(node: SyntaxNode, state: Translation): Table {
  const columns = columnsOf(node).map(({ name, type }) => state.newColumn(name, scalarType(type)));
  const cells = parts(node, "Values").map((value) => translateScalar(value, NO_SCOPE, state));
  const width = columns.length;
  const rows: KqlValue[][] = [];
  for (let start = 0; start < cells.length; start += width) {
    rows.push(
      columns.map(({ type }, index) => {
        const cell = cells[start + index];
        const value = cell === undefined ? undefined : converted(cell, type);
        if (value !== undefined) return value;
        throw new KqlError("semantic", "datatable() takes whole rows of literals.", {
          position: positionOf(node),
        });
      }),
    );
  }
  return listed(columns, rows, state);
}

/** Rows of literals, which keep their order as far as nothing asks for another. */
function listed(columns: readonly Column[], rows: KqlValue[][], state: Translation): Table {
  const ordinal = state.newColumn(ORDINAL, "long");
  const key = { value: use(ordinal), descending: false, nullsFirst: false, isNatural: true };
  const order: SortKey[] = [key];
  const relation: Relation = {
    kind: "values",
    rows: rows.map((row, index) => [...row, BigInt(index)]),
    columns: [...columns, ordinal],
    order,
  };
  return { relation, columns, order, isSerialized: false, group: [] };
}

/** A literal of a datatable in its column's type. */
function converted(cell: ReturnType<typeof translateScalar>, type: KqlType): KqlValue | undefined {
  if (cell.kind !== "literal") return undefined;
  const { value } = cell;
  if (value === null) return type === "string" ? "" : null;
  if (cell.type === type) return value;
  return convertLiteral(value, cell.type, type);
}

type Convert = (value: NonNullable<KqlValue>, from: KqlType) => KqlValue | undefined;

function convertLiteral(
  value: NonNullable<KqlValue>,
  from: KqlType,
  to: KqlType,
): KqlValue | undefined {
  return CONVERSIONS[to](value, from);
}

function digitsOf(value: NonNullable<KqlValue>): number | undefined {
  return typeof value === "bigint" || typeof value === "number" ? Number(value) : undefined;
}

function whole(value: NonNullable<KqlValue>): number | undefined {
  const digits = digitsOf(value);
  return digits === undefined ? undefined : Math.trunc(digits);
}

const ticks: Convert = (value) => (typeof value === "bigint" ? value : undefined);
const text: Convert = (value) => (typeof value === "object" ? undefined : String(value));

const CONVERSIONS: Readonly<Record<KqlType, Convert>> = {
  real: digitsOf,
  int: whole,
  long: (value) => {
    const digits = whole(value);
    return digits === undefined ? undefined : BigInt(digits);
  },
  bool: (value) => {
    const digits = digitsOf(value);
    return digits === undefined ? undefined : digits !== 0;
  },
  decimal: text,
  dynamic: (value, from) =>
    typeof value === "bigint" && from !== "long" ? undefined : jsonNumber(value),
  datetime: ticks,
  timespan: ticks,
  guid: text,
  string: text,
};

function jsonNumber(value: NonNullable<KqlValue>): KqlValue {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

import { KqlError } from "../../kql-error.ts";
import {
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  textOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { cast, literal, type Literal, type Scalar } from "../../plan/scalar.ts";
import { compileScalar } from "../../runtime/evaluate/evaluate.ts";
import { createScan, type ScanStep } from "../../runtime/rows/scan.ts";
import { lift, type Lifted } from "../lift.ts";
import { literalOf } from "../literals.ts";
import { use, type Table, type Translation, translateScalar, unsupported } from "../translation.ts";
import { scalarType } from "../types.ts";
import { usesWindows } from "../window-calls.ts";
import { computedRows, rowKey, type Row } from "./computed-rows.ts";
import { inputOf, parameterText, scalarOver, type Operator } from "./operator.ts";

export const scanOperators: Readonly<Record<string, Operator>> = { ScanOperator: translateScan };

/** Columns in which expressions of a scan find their values, one place after another. */
interface Places {
  readonly table: Table;
  readonly declared: readonly Column[];
  /** The last row of each step, under the step's name. */
  readonly rows: ReadonlyMap<string, Table>;
  /** Of the row, the declared columns, what SQL has computed; then the rows of the steps. */
  readonly lifted: Lifted[];
}

/** `scan` goes from row to row in JavaScript, with what SQL could compute before. */
function translateScan(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const defaults = declaredDefaults(node);
  const declared = defaults.map(({ name, value }) => state.newColumn(name, value.type));
  const nodes = parts(node, "Steps");
  const rows = new Map(nodes.map((step) => [stepName(step), stepRow(table, declared, state)]));
  const places: Places = { table, declared, rows, lifted: [] };
  const translated = nodes.map((step) => translateStep(step, places, state));
  const placeOf = placesOf(places);
  const scan = createScan(
    translated.map((step) => compiledStep(step, placeOf)),
    {
      columns: table.columns.length,
      defaults: defaults.map(({ value }) => value.value),
      nulls: table.columns.map(({ type }) => (type === "string" ? "" : null)),
    },
  );
  const keys = partitionKeys(node, table, state);
  const values = [...table.columns.map(use), ...places.lifted.map(({ value }) => value)];
  const matchName = parameterText(node, "with_match_id");
  const columns = [...table.columns, ...declared].map(({ name, type }) => ({ name, type }));
  const width = columns.length;
  if (matchName !== undefined) columns.push({ name: matchName, type: "long" });
  const make = (all: readonly Row[]): Row[] => {
    const end = values.length + keys.length;
    const groups = Map.groupBy(all, (row) => rowKey(row.slice(values.length, end)));
    const matched = [...groups.values()].flatMap((members) => scan(members));
    return matchName === undefined ? matched.map((row) => row.slice(0, width)) : matched;
  };
  return computedRows([{ table, values: [...values, ...keys] }], { columns, make }, state);
}

/** Where expressions find their columns: see `createScan`. */
function placesOf({ table, declared, rows, lifted }: Places): (id: number) => number {
  const order = [
    ...table.columns,
    ...declared,
    ...[...rows.values()].flatMap(({ columns }) => columns),
    ...lifted.map(({ column }) => column),
  ];
  const places = new Map(order.map(({ id }, index) => [id, index]));
  return (id) => places.get(id) ?? -1;
}

function compiledStep(
  { output, condition, assignments }: TranslatedStep,
  placeOf: (id: number) => number,
): ScanStep {
  return {
    output,
    condition: compileScalar(condition, placeOf),
    assignments: assignments.map(({ place, value }) => {
      return { place, value: compileScalar(value, placeOf) };
    }),
  };
}

function partitionKeys(node: SyntaxNode, table: Table, state: Translation): Scalar[] {
  const clause = maybe(node, "PartitionByClause");
  if (clause === undefined) return [];
  return parts(clause, "Expressions").map((one) => scalarOver(one, table, state));
}

function stepName(step: SyntaxNode): string {
  return nameOf(part(step, "Name"));
}

/** The columns of a row that a step has kept. */
function stepRow(table: Table, declared: readonly Column[], state: Translation): Table {
  const columns = [...table.columns, ...declared].map(({ name, type }) => {
    return state.newColumn(name, type);
  });
  return { ...table, columns };
}

interface Declared {
  readonly name: string;
  readonly value: Literal;
}

function declaredDefaults(node: SyntaxNode): Declared[] {
  const clause = maybe(node, "DeclareClause");
  if (clause === undefined) return [];
  return parts(clause, "Declarations").map((one): Declared => {
    const declaration = part(one, "NameAndType");
    const type = scalarType(textOf(part(declaration, "Type")));
    const given = maybe(one, "DefaultValue");
    const found = given === undefined ? undefined : literalOf(part(given, "Value"));
    const name = nameOf(part(declaration, "Name"));
    const none = literal(type, type === "string" ? "" : null);
    return { name, value: found === undefined ? none : sameType(found, type) };
  });
}

/** Literals of numbers widen to the declared type. */
function sameType(found: Literal, type: Literal["type"]): Literal {
  const { value } = found;
  if (typeof value === "bigint" && type === "real") return literal(type, Number(value));
  if (typeof value === "bigint" && type === "int") return literal(type, Number(value));
  return literal(type, value);
}

interface TranslatedStep {
  readonly output: "all" | "last" | "none";
  readonly condition: Scalar;
  readonly assignments: readonly { readonly place: number; readonly value: Scalar }[];
}

function translateStep(step: SyntaxNode, places: Places, state: Translation): TranslatedStep {
  if (usesWindows(step)) {
    throw new KqlError("semantic", "The steps of scan cannot use functions over other rows.", {
      position: positionOf(step),
    });
  }
  const { table, declared, lifted } = places;
  const scope = {
    table: { ...table, columns: [...table.columns, ...declared] },
    rows: places.rows,
  };
  const own = new Set(table.columns.map(({ id }) => id));
  const made = (node: SyntaxNode, type?: Literal["type"]): Scalar => {
    const value = translateScalar(node, scope, state);
    return lift(cast(value, type ?? value.type), (id) => own.has(id), lifted, state);
  };
  const computation = maybe(step, "ComputationClause");
  const assignments = computation === undefined ? [] : parts(computation, "Assignments");
  return {
    output: outputOf(step),
    condition: made(part(step, "Condition"), "bool"),
    assignments: assignments.map((one) => {
      const name = nameOf(part(one, "Name"));
      const index = declared.findIndex((column) => column.name === name);
      if (index === -1) {
        throw new KqlError("semantic", `scan: '${name}' is not declared.`, {
          position: positionOf(one),
        });
      }
      return {
        place: table.columns.length + index,
        value: made(part(one, "Expression"), declared[index]?.type),
      };
    }),
  };
}

function outputOf(step: SyntaxNode): TranslatedStep["output"] {
  const text = textOf(step);
  const [head = ""] = text.split(":", 1);
  if (/\boptional\b/.test(head)) {
    throw unsupported(step, "Optional steps of scan are not supported.");
  }
  const output = /\boutput\s*=\s*(?<kind>all|last|none)\b/.exec(head)?.groups?.["kind"];
  return output === "last" || output === "none" ? output : "all";
}

import { columnsOf, kindOf, maybe, part, parts, type SyntaxNode } from "../../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../../plan/scalar.ts";
import { axisOf, type Axis } from "../../runtime/rows/series-axis.ts";
import type { Json, KqlType, KqlValue } from "../../types.ts";
import { NO_SCOPE, use, type Table, type Translation, translateScalar } from "../translation.ts";
import { scalarType } from "../types.ts";
import { computedRows, rowKey, scalarRow, type Row } from "./computed-rows.ts";
import { inputOf, parameterText, ready, scalarOver, unnamed, type Operator } from "./operator.ts";
import { filtered } from "./row-operators.ts";
import { summarized } from "./summarize.ts";

export const seriesOperators: Readonly<Record<string, Operator>> = {
  MakeSeriesOperator: translateMakeSeries,
};

/**
 * Rows are grouped by bins of the axis in SQL; what is left, one row per bin, is laid out as arrays
 * in JavaScript, which fills the bins that have no row.
 */
function translateMakeSeries(
  node: SyntaxNode,
  input: Table | undefined,
  state: Translation,
): Table {
  const by = maybe(node, "ByClause");
  const keyNodes = by === undefined ? [] : parts(by, "Expressions");
  const series = parts(node, "Aggregates");
  const table = ready(inputOf(input, node), [...keyNodes, ...series], state);
  const bound = columnsOf(node);
  const keys = keyNodes.map((one, index) => {
    const value = scalarOver(unnamed(one), table, state);
    const type = bound[index]?.type ?? "unknown";
    return type === "unknown" ? value : cast(value, scalarType(type));
  });
  const axis = axisValue(node, table, state);
  const range = rangeOf(part(node, "RangeClause"), axis.type, state);
  const aggregates = series.map((one) => {
    return cast(scalarOver(unnamed(part(one, "Expression")), table, state), "dynamic");
  });
  const kept = filtered(table, within(axis, range), state);
  const bins = summarized(
    kept,
    { keys: [...keys, binOf(axis, range)], aggregates, names: [] },
    state,
  );
  const options = scalarRow(
    [range.from, range.to, range.step, ...series.map((one) => defaultOf(one, state))],
    state,
  );
  const layout: Layout = {
    keys: keys.length,
    type: axis.type,
    isInclusive: range.isInclusive,
    keepsEmpty: parameterText(node, "kind")?.toLowerCase() === "nonempty" && keys.length === 0,
  };
  const columns = bound.map(({ name, type }, index) => ({
    name,
    type: keys[index]?.type ?? scalarType(type),
  }));
  return computedRows(
    [{ table: bins, values: bins.columns.map(use) }, options],
    { columns, make: (rows, given = []) => layOut(rows, given, layout) },
    state,
  );
}

function axisValue(node: SyntaxNode, table: Table, state: Translation): Scalar {
  const value = scalarOver(unnamed(part(part(node, "OnClause"), "Expression")), table, state);
  if (value.type === "int") return cast(value, "long");
  return value.type === "decimal" || value.type === "dynamic" ? cast(value, "real") : value;
}

interface SeriesRange {
  readonly from: Scalar;
  readonly to: Scalar;
  readonly step: Scalar;
  /** `in range(…)`: the end counts, and bins are not counted from the start. */
  readonly isInclusive: boolean;
}

function rangeOf(clause: SyntaxNode, type: KqlType, state: Translation): SeriesRange {
  const stepType = type === "datetime" ? "timespan" : type;
  const isInclusive = kindOf(clause) === "MakeSeriesInRangeClause";
  const nodes = isInclusive
    ? parts(part(clause, "Arguments"), "Expressions")
    : ["From", "To", "Step"].map((name) => {
        const found = maybe(clause, `MakeSeries${name}Clause`);
        return found === undefined ? undefined : part(found, "Expression");
      });
  const [from, to, step] = [type, type, stepType].map((wanted, index) => {
    const node = nodes[index];
    if (node === undefined) return literal(wanted, null);
    return cast(translateScalar(node, NO_SCOPE, state), wanted);
  });
  const none = literal(type, null);
  return { from: from ?? none, to: to ?? none, step: step ?? none, isInclusive };
}

function isGiven(value: Scalar): boolean {
  return value.kind !== "literal" || value.value !== null;
}

function within(axis: Scalar, { from, to, isInclusive }: SeriesRange): Scalar {
  const tests = [call("isnotnull", "bool", axis)];
  if (isGiven(from)) tests.push(call(">=", "bool", axis, from));
  if (isGiven(to)) tests.push(call(isInclusive ? "<=" : "<", "bool", axis, to));
  return { kind: "call", name: "and", args: tests, type: "bool" };
}

function binOf(axis: Scalar, { from, step, isInclusive }: SeriesRange): Scalar {
  return isGiven(from) && !isInclusive
    ? call("bin_at", axis.type, axis, step, from)
    : call("bin", axis.type, axis, step);
}

function defaultOf(series: SyntaxNode, state: Translation): Scalar {
  const clause = maybe(series, "DefaultExpression");
  const value =
    clause === undefined
      ? literal("long", 0n)
      : translateScalar(part(clause, "Expression"), NO_SCOPE, state);
  return cast(value, "dynamic");
}

interface Layout {
  readonly keys: number;
  readonly type: KqlType;
  readonly isInclusive: boolean;
  readonly keepsEmpty: boolean;
}

/** Rows of keys, bin and values become one row per key: keys, an array per value, the axis. */
function layOut(rows: readonly Row[], [given = []]: readonly Row[], layout: Layout): Row[] {
  const groups = [...Map.groupBy(rows, (row) => rowKey(row.slice(0, layout.keys))).values()];
  if (groups.length === 0 && layout.keepsEmpty) groups.push([]);
  return groups.map((members) => seriesRow(members, given, layout));
}

function seriesRow(rows: readonly Row[], given: Row, layout: Layout): Row {
  const { keys } = layout;
  const axis = seriesAxis(
    rows.map((row) => row[keys] ?? null),
    given,
    layout,
  );
  const arrays = given.slice(GIVEN_RANGE).map((value): Json[] => {
    return Array.from({ length: axis.length }, () => value);
  });
  for (const row of rows) {
    const index = axis.indexOf(row[keys] ?? null);
    if (index < 0 || index >= axis.length) continue;
    for (const [at, array] of arrays.entries()) array[index] = row[keys + 1 + at] ?? null;
  }
  return [...(rows[0] ?? []).slice(0, keys), ...arrays, axis.labels];
}

/** Start, end and step come before the defaults. */
const GIVEN_RANGE = 3;

/** The places of one series; without a start or an end, from and to the bins that have rows. */
function seriesAxis(bins: Row, given: Row, { type, isInclusive }: Layout): Axis {
  const [from = null, to = null, step = null] = given;
  const start = isInclusive && from !== null ? binned(from, step) : from;
  const first = start ?? least(bins);
  if (to !== null) return axisOf({ type, first, end: to, step, isInclusive });
  return axisOf({ type, first, end: greatest(bins), step, isInclusive: true });
}

/** The start of the bin of a value, with bins counted from zero. */
function binned(value: KqlValue, step: KqlValue): KqlValue {
  if (typeof value === "bigint" && typeof step === "bigint" && step > 0n) {
    return value - (((value % step) + step) % step);
  }
  return Math.floor(Number(value) / Number(step)) * Number(step);
}

function least(bins: readonly KqlValue[]): KqlValue {
  return bins.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

function greatest(bins: readonly KqlValue[]): KqlValue {
  return bins.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}

import { KqlError } from "../../kql-error.ts";
import { cast, type Scalar } from "../../plan/scalar.ts";
import { NO_SCOPE, translateScalar, use, type Table } from "../translation.ts";
import { computedRows, scalarRow, type Row } from "../operators/computed-rows.ts";
import { ready, scalarOver } from "../operators/operator.ts";
import { resultColumns, type PluginUse } from "./plugin.ts";

/** `narrow()`: a row for every cell. */
export function narrow({ node, table, state }: PluginUse): Table {
  const names = table.columns.map(({ name }) => name);
  const values = table.columns.map((column) => cast(use(column), "string"));
  const make = (rows: readonly Row[]): Row[] =>
    rows.flatMap((row, index) => row.map((value, at) => [BigInt(index), names[at] ?? "", value]));
  return computedRows([{ table, values }], { columns: resultColumns(node), make }, state);
}

/** `rows_near(condition, before, after)`: rows that meet the condition, and those around. */
export function rowsNear({ node, args, table, state }: PluginUse): Table {
  const [condition, before, after] = args;
  if (condition === undefined || before === undefined) {
    throw new KqlError("semantic", "rows_near() needs a condition and a number of rows.");
  }
  const start = ready(table, [condition], state);
  const test = cast(scalarOver(condition, start, state), "bool");
  const counts = [before, after ?? before].map((one): Scalar => {
    return cast(translateScalar(one, NO_SCOPE, state), "long");
  });
  const values = [test, ...start.columns.map(use)];
  return computedRows(
    [{ table: start, values }, scalarRow(counts, state)],
    {
      columns: resultColumns(node),
      make: (rows, [numbers = []] = []) => near(rows, Number(numbers[0]), Number(numbers[1])),
    },
    state,
  );
}

function near(rows: readonly Row[], before: number, after: number): Row[] {
  const marks = new Set<number>();
  rows.forEach(([isMatch], index) => {
    if (isMatch !== true) return;
    const end = Math.min(rows.length - 1, index + after);
    for (let at = Math.max(0, index - before); at <= end; at++) marks.add(at);
  });
  return rows.filter((_row, index) => marks.has(index)).map((row) => row.slice(1));
}

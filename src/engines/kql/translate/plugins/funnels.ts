import { KqlError } from "../../kql-error.ts";
import type { SyntaxNode } from "../../language/syntax.ts";
import { call, cast, type Scalar } from "../../plan/scalar.ts";
import { funnel } from "../../runtime/rows/funnels.ts";
import { parseTimespan } from "../../runtime/time/parse-timespan.ts";
import type { KqlValue } from "../../types.ts";
import { computedRows, scalarRow, valueKey, type Row } from "../operators/computed-rows.ts";
import { scalarOver } from "../operators/operator.ts";
import { NO_SCOPE, translateScalar, type Table } from "../translation.ts";
import { resultColumns, type PluginUse } from "./plugin.ts";

/** `funnel_sequence_completion(id, time, start, end, step, state, sequence, periods)` */
export function funnelCompletion({ node, args, table, state }: PluginUse): Table {
  const required = (index: number): SyntaxNode => {
    const found = args[index];
    if (found !== undefined) return found;
    throw new KqlError("semantic", "funnel_sequence_completion() needs eight arguments.");
  };
  const time = scalarOver(required(1), table, state);
  const distance = time.type === "datetime" ? "timespan" : time.type;
  const constant = (index: number, type: Scalar["type"]): Scalar =>
    cast(translateScalar(required(index), NO_SCOPE, state), type);
  const sequence = constant(6, "dynamic");
  const settings = scalarRow(
    [
      constant(2, time.type),
      constant(3, time.type),
      constant(4, distance),
      sequence,
      constant(7, "dynamic"),
    ],
    state,
  );
  const who = scalarOver(required(0), table, state);
  const place = scalarOver(required(5), table, state);
  const values = [who, time, call("tostring", "string", place)];
  const columns = resultColumns(node).map((column) => {
    return column.name === "Period" ? { name: column.name, type: distance } : column;
  });
  return computedRows([{ table, values }, settings], { columns, make: completions }, state);
}

function completions(rows: readonly Row[], [given = []]: readonly Row[] = []): Row[] {
  const [start = null, end = null, step = null, states = null, periods = null] = given;
  const names = listOf(states).map(String);
  const events = rows.map(([id = null, at = null, name]) => {
    return { id: valueKey(id), at, place: typeof name === "string" ? names.indexOf(name) : -1 };
  });
  return listOf(periods).flatMap((one) => {
    const period = periodOf(one);
    const found = funnel(events, { start, end, step }, { length: names.length, period });
    return found.map(([at = null, index, count = null]): Row => {
      return [at, names[Number(index)] ?? "", period, count];
    });
  });
}

function listOf(value: KqlValue): readonly KqlValue[] {
  return Array.isArray(value) ? value : [];
}

/** Timespans are texts in dynamic values. */
function periodOf(value: KqlValue): KqlValue {
  if (typeof value === "string") return parseTimespan(value);
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}

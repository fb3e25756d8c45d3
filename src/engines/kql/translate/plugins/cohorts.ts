import { KqlError } from "../../kql-error.ts";
import { isTabular, symbolClass, type SyntaxNode } from "../../language/syntax.ts";
import { cast, literal, type Scalar } from "../../plan/scalar.ts";
import { newActivity } from "../../runtime/rows/cohorts.ts";
import { detectSequences } from "../../runtime/rows/sequences.ts";
import { argumentsOf } from "../call-parts.ts";
import { computedRows, rowKey, scalarRow, valueKey, type Row } from "../operators/computed-rows.ts";
import { scalarOver, unnamed } from "../operators/operator.ts";
import { renewed } from "../table-shapes.ts";
import { NO_SCOPE, translateScalar, translateTabular, use, type Table } from "../translation.ts";
import { typeOf } from "../types.ts";
import { resultColumns, type Plugin, type PluginUse } from "./plugin.ts";

/** Plugins about what happened after something else. */
export const cohortPlugins: Readonly<Record<string, Plugin>> = {
  new_activity_metrics: newActivityMetrics,
  sequence_detect: sequenceDetect,
};

/** Arguments before the cohort, the dimensions and the table of ids that are known already. */
const FIXED = 5;

/** `new_activity_metrics(id, time, start, end, window, cohort, dimensions…, look-back)` */
function newActivityMetrics(plugin: PluginUse): Table {
  const { node, args, table, state } = plugin;
  const [id, time, start, end, step] = args;
  const when = over(time, plugin);
  const distance = when.type === "datetime" ? "timespan" : when.type;
  const rest = args.slice(FIXED);
  const tables = rest.filter(isTabular);
  const dimensions = rest.filter((one) => symbolClass(one) === "ColumnSymbol");
  const cohort = rest.find((one) => !tables.includes(one) && !dimensions.includes(one));
  const settings = scalarRow(
    [
      constant(start, when.type, plugin),
      constant(end, when.type, plugin),
      constant(step, distance, plugin),
      cohort === undefined ? literal(when.type, null) : constant(cohort, when.type, plugin),
    ],
    state,
  );
  const values = [over(id, plugin), when, ...dimensions.map((one) => over(one, plugin))];
  const make = (
    rows: readonly Row[],
    [given = []]: readonly Row[] = [],
    ...more: (readonly Row[])[]
  ): Row[] => {
    const [from = null, to = null, width = null, only = null] = given;
    const known = new Set(more.flat().map(([one = null]) => valueKey(one)));
    const groups = Map.groupBy(rows, (row) => rowKey(row.slice(2, values.length)));
    return [...groups.values()].flatMap((members) => {
      const events = members.map(([who = null, at = null]) => ({ id: valueKey(who), at }));
      const timeline = { events, start: from, end: to, step: width, lookback: null };
      const of = members[0]?.slice(2, values.length) ?? [];
      return newActivity(timeline, known, only).map((row) =>
        row.slice(0, 2).concat(of, row.slice(2)),
      );
    });
  };
  const lookups = tables.map((one) => {
    const known = renewed(translateTabular(one, state), state);
    const column = known.columns.find(({ name }) => name === nameOfId(id)) ?? known.columns[0];
    if (column === undefined) throw new KqlError("semantic", "The look-back has no column.");
    return { table: known, values: [use(column)] };
  });
  const columns = resultColumns(node);
  return computedRows([{ table, values }, settings, ...lookups], { columns, make }, state);
}

function nameOfId(id: SyntaxNode | undefined): string {
  return id === undefined ? "" : id.toString().trim();
}

/** `sequence_detect(time, step window, span, name=condition…, dimensions…)` */
function sequenceDetect(plugin: PluginUse): Table {
  const { node, call, table, state } = plugin;
  const [time, between, span, ...rest] = argumentsOf(call);
  const when = over(time, plugin);
  const distance = when.type === "datetime" ? "timespan" : when.type;
  const settings = scalarRow(
    [constant(between, distance, plugin), constant(span, distance, plugin)],
    state,
  );
  const steps = rest.filter((one) => typeOf(unnamed(one)) === "bool");
  const dimensions = rest.filter((one) => !steps.includes(one));
  const values = [
    when,
    ...steps.map((one) => over(unnamed(one), plugin)),
    ...dimensions.map((one) => over(unnamed(one), plugin)),
  ];
  const width = 1 + steps.length;
  const make = (rows: readonly Row[], [given = []]: readonly Row[] = []): Row[] => {
    const [one = null, all = null] = given;
    const groups = Map.groupBy(rows, (row) => rowKey(row.slice(width, values.length)));
    return [...groups.values()].flatMap((members) => {
      const of = members[0]?.slice(width, values.length) ?? [];
      const found = detectSequences(members, steps.length, { between: one, span: all });
      return found.map((moments) => of.concat(moments));
    });
  };
  const columns = resultColumns(node);
  return computedRows([{ table, values }, settings], { columns, make }, state);
}

function over(node: SyntaxNode | undefined, { table, state }: PluginUse): Scalar {
  if (node === undefined) throw new KqlError("semantic", "The plugin needs more arguments.");
  return scalarOver(node, table, state);
}

function constant(
  node: SyntaxNode | undefined,
  type: Scalar["type"],
  { state }: PluginUse,
): Scalar {
  if (node === undefined) throw new KqlError("semantic", "The plugin needs more arguments.");
  return cast(translateScalar(node, NO_SCOPE, state), type);
}

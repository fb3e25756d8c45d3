import { KqlError } from "../../kql-error.ts";
import type { SyntaxNode } from "../../language/syntax.ts";
import { call, cast, type Scalar } from "../../plan/scalar.ts";
import {
  activityCounts,
  activityMetrics,
  rollingPercentile,
  slidingCounts,
  type Timeline,
} from "../../runtime/rows/timelines.ts";
import { activeUsers, sessionCounts } from "../../runtime/rows/cohorts.ts";
import type { KqlValue } from "../../types.ts";
import { NO_SCOPE, translateScalar, type Table } from "../translation.ts";
import { computedRows, rowKey, scalarRow, valueKey, type Row } from "../operators/computed-rows.ts";
import { scalarOver } from "../operators/operator.ts";
import { resultColumns, type Plugin, type PluginUse } from "./plugin.ts";

/** Plugins about who was active when. */
export const timelinePlugins: Readonly<Record<string, Plugin>> = {
  activity_counts_metrics: (plugin) => overTime(plugin, ["start", "end", "step"], activityCounts),
  activity_metrics: (plugin) => overTime(plugin, ["start", "end", "step"], activityMetrics),
  sliding_window_counts: (plugin) =>
    overTime(plugin, ["start", "end", "lookback", "step"], slidingCounts),
  session_count: (plugin) => overTime(plugin, ["start", "end", "step", "lookback"], sessionCounts),
  active_users_count: (plugin) =>
    overTime(
      plugin,
      ["start", "end", "lookback", "period", "least", "step"],
      (timeline, option): Row[] => {
        const [period, least] = [option("period"), Number(option("least"))];
        return activeUsers(timeline, { period, least });
      },
    ),
  rolling_percentile: rolling,
};

type Option = "start" | "end" | "step" | "lookback" | "period" | "least";

/** `plugin(id, time, options…, dimensions…)`: rows of time and numbers for all dimensions. */
function overTime(
  plugin: PluginUse,
  options: readonly Option[],
  measure: (timeline: Timeline, option: (name: Option) => KqlValue) => Row[],
): Table {
  const { node, args, table, state } = plugin;
  const [id, time, ...rest] = args;
  const when = scalarOf(time, plugin);
  const step = when.type === "datetime" ? "timespan" : when.type;
  const given = rest.slice(0, options.length).map((one, index): Scalar => {
    const isMoment = options[index] === "start" || options[index] === "end";
    const distance = options[index] === "least" ? "long" : step;
    return cast(translateScalar(one, NO_SCOPE, state), isMoment ? when.type : distance);
  });
  if (given.length < options.length) {
    throw new KqlError("semantic", `The plugin needs ${options.join(", ")}.`);
  }
  const dimensions = rest.slice(options.length).map((one) => scalarOf(one, plugin));
  const values = [scalarOf(id, plugin), when, ...dimensions];
  const make = (rows: readonly Row[], [settings = []]: readonly Row[] = []): Row[] => {
    const option = (name: Option): KqlValue => settings[options.indexOf(name)] ?? null;
    const groups = Map.groupBy(rows, (row) => rowKey(row.slice(2, values.length)));
    return [...groups.values()].flatMap((members) => {
      const of = members[0]?.slice(2, values.length) ?? [];
      const timeline = {
        events: members.map(([who = null, at = null]) => ({ id: valueKey(who), at })),
        start: option("start"),
        end: option("end"),
        step: option("step"),
        lookback: option("lookback"),
      };
      const made = measure(timeline, option);
      return made.map(([at = null, ...numbers]) => [at].concat(of, numbers));
    });
  };
  return computedRows(
    [{ table, values }, scalarRow(given, state)],
    {
      columns: resultColumns(node),
      make,
    },
    state,
  );
}

/** `rolling_percentile(value, percent, time, bin, bins, dimensions…)` */
function rolling(plugin: PluginUse): Table {
  const { node, args, table, state } = plugin;
  const [value, percent, time, size, count, ...rest] = args;
  const when = scalarOf(time, plugin);
  const found = scalarOf(value, plugin);
  const step = when.type === "datetime" ? "timespan" : when.type;
  const option = (one: SyntaxNode | undefined, type: Scalar["type"]): Scalar => {
    if (one === undefined)
      throw new KqlError("semantic", "rolling_percentile() needs an argument.");
    return cast(translateScalar(one, NO_SCOPE, state), type);
  };
  const bin = call("bin", when.type, when, option(size, step));
  const dimensions = rest.map((one) => scalarOf(one, plugin));
  const settings = scalarRow(
    [option(percent, "real"), option(size, step), option(count, "long")],
    state,
  );
  const values = [found, bin, ...dimensions];
  const make = (rows: readonly Row[], [given = []]: readonly Row[] = []): Row[] => {
    const groups = Map.groupBy(rows, (row) => rowKey(row.slice(2, values.length)));
    return [...groups.values()].flatMap((members) => {
      const of = members[0]?.slice(2, values.length) ?? [];
      const points = members.map(([one = null, at = null]) => ({ value: one, at }));
      const [part = null, width = null, bins = null] = given;
      return rollingPercentile(points, Number(part), width, Number(bins)).map(
        ([at = null, one = null]) => [at].concat(of, one),
      );
    });
  };
  const columns = resultColumns(node).map((column, index, all) => {
    return index === all.length - 1 ? { name: column.name, type: found.type } : column;
  });
  return computedRows([{ table, values }, settings], { columns, make }, state);
}

function scalarOf(node: SyntaxNode | undefined, { table, state }: PluginUse): Scalar {
  if (node === undefined) throw new KqlError("semantic", "The plugin needs more arguments.");
  return scalarOver(node, table, state);
}

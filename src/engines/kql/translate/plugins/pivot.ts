import { KqlError } from "../../kql-error.ts";
import { columnsOf, maybe, nameOf, textOf } from "../../language/syntax.ts";
import { call, cast, literal, type Aggregate, type Scalar } from "../../plan/scalar.ts";
import type { KqlColumn } from "../../types.ts";
import { isAggregate } from "../aggregate-calls.ts";
import { findColumn, use, type Table } from "../translation.ts";
import { scalarType } from "../types.ts";
import { arranged } from "../table-shapes.ts";
import { grouped } from "../operators/column-operators.ts";
import { scalarOver } from "../operators/operator.ts";
import { summarized } from "../operators/summarize.ts";
import { openColumns } from "./open-schema.ts";
import type { PluginUse } from "./plugin.ts";

/** Aggregates that give 0 of no rows. */
const ZERO_OF_NOTHING = /^(?:count|countif|dcount|dcountif|sum|sumif|count_distinct)$/;

/** `pivot(values, aggregate, keys…)`: one column for each value. */
export function pivot(plugin: PluginUse): Table {
  const { node, table, state, args } = plugin;
  const [column, second] = args;
  if (column === undefined) throw new KqlError("semantic", "pivot() needs a column.");
  const value = cast(scalarOver(column, table, state), "string");
  const aggregateNode = second !== undefined && isAggregate(second) ? second : undefined;
  const aggregate: Scalar =
    aggregateNode === undefined
      ? { kind: "aggregate", name: "count", args: [], type: "long", order: [] }
      : scalarOver(aggregateNode, table, state);
  if (maybe(node, "Schema") === undefined) {
    const values = grouped(
      { ...table, group: [], order: [] },
      [value],
      [state.newColumn("", "string")],
    );
    const keys = columnsOf(node).map(({ name, type }) => ({ name, type: scalarType(type) }));
    throw openColumns(plugin, values, (rows) => [
      ...keys,
      ...pivoted(
        rows.map(([one]) => one),
        aggregate.type,
      ),
    ]);
  }
  const names = keyNames(plugin, aggregateNode !== undefined);
  const isZero = aggregateNode === undefined || ZERO_OF_NOTHING.test(nameOf(aggregateNode));
  return spread(plugin, { value, aggregate, keys: names, isZero });
}

function pivoted(values: readonly unknown[], type: KqlColumn["type"]): KqlColumn[] {
  const names = values.filter((one) => typeof one === "string" && one !== "").map(String);
  return names.toSorted().map((name) => ({ name, type }));
}

/** The keys that are asked for, or all columns that the plugin does not use up. */
function keyNames({ args, table }: PluginUse, hasAggregate: boolean): string[] {
  const [column, second, ...rest] = args;
  const asked = hasAggregate || second === undefined ? rest : [second, ...rest];
  if (asked.length > 0) return asked.map(nameOf);
  const used = [column, second].flatMap((one) => (one === undefined ? [] : [textOf(one)]));
  const words = new Set(used.join(" ").match(/[\p{L}\p{N}_]+/gu));
  return table.columns.map(({ name }) => name).filter((name) => !words.has(name));
}

interface Spread {
  readonly value: Scalar;
  readonly aggregate: Scalar;
  readonly keys: readonly string[];
  readonly isZero: boolean;
}

/** First one row for each key and value, then one for each key. */
function spread(
  { node, table, state }: PluginUse,
  { value, aggregate, keys, isZero }: Spread,
): Table {
  const keyColumns = keys.flatMap((name) => findColumn(table, name) ?? []);
  const cells = summarized(
    table,
    { keys: [...keyColumns.map(use), value], aggregates: [aggregate], names: keys },
    state,
  );
  const [cellValue, cell] = cells.columns.slice(keyColumns.length);
  if (cellValue === undefined || cell === undefined) throw new Error("A pivot has cells");
  const bound = columnsOf(node);
  const fresh = bound.filter(({ name }) => !keys.includes(name));
  const aggregates = fresh.map(({ name, type }): Scalar => {
    const test = call("==", "bool", use(cellValue), literal("string", name));
    const found: Aggregate = {
      kind: "aggregate",
      name: "take_anyif",
      args: [use(cell), test],
      type: cell.type,
      order: [],
    };
    const known = cast(found, scalarType(type));
    if (!isZero) return known;
    return call("coalesce", known.type, known, cast(literal("long", 0n), known.type));
  });
  const keyValues = cells.columns.slice(0, keyColumns.length).map(use);
  const names = [...keys, ...fresh.map(({ name }) => name)];
  return arranged(summarized(cells, { keys: keyValues, aggregates, names }, state), bound, state);
}

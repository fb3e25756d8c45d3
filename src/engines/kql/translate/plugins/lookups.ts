import { KqlError } from "../../kql-error.ts";
import { nameOf, type SyntaxNode } from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { cast, type Scalar } from "../../plan/scalar.ts";
import { createLineLookup, createPolygonLookup } from "../../runtime/geo/lookups.ts";
import {
  createNetworkLookup,
  parseIpv4Network,
  parseIpv6Network,
} from "../../runtime/rows/network-lookup.ts";
import type { Json, KqlValue } from "../../types.ts";
import { literalOf } from "../literals.ts";
import { findColumn, translateTabular, use, type Table } from "../translation.ts";
import { renewed } from "../table-shapes.ts";
import { computedRows, rowKey, type Row } from "../operators/computed-rows.ts";
import { scalarOver } from "../operators/operator.ts";
import { resultColumns, type Plugin, type PluginUse } from "./plugin.ts";

/** Positions of the rows of the lookup table that match some values of a row. */
type Find = (values: Row) => readonly number[];

interface Lookup {
  /** What is looked for: values of a row of the left table. */
  readonly values: readonly Scalar[];
  /** Where it is looked up: a column of the lookup table. */
  readonly key: string;
  /** Columns of both tables that have to be equal. */
  readonly equal: readonly string[];
  readonly showsKey: boolean;
  readonly index: (keys: readonly KqlValue[]) => Find;
}

/** Plugins that join a table with the rows of another that hold the ranges its values are in. */
export const lookupPlugins: Readonly<Record<string, Plugin>> = {
  ipv4_lookup: (plugin) => networkLookup(plugin, parseIpv4Network),
  ipv6_lookup: (plugin) => networkLookup(plugin, parseIpv6Network),
  geo_polygon_lookup: (plugin) => geoLookup(plugin, false),
  geo_line_lookup: (plugin) => geoLookup(plugin, true),
};

function networkLookup(plugin: PluginUse, parse: Parameters<typeof createNetworkLookup>[1]): Table {
  const [, address, network, ...equal] = plugin.args;
  return lookedUp(plugin, {
    values: [overLeft(plugin, address, "string")],
    key: named(network),
    equal: equal.map(nameOf),
    showsKey: true,
    index: (keys) => {
      const find = createNetworkLookup(keys.map(textOf), parse);
      return ([text]) => find(textOf(text));
    },
  });
}

function geoLookup(plugin: PluginUse, isLine: boolean): Table {
  const [, shape, longitude, latitude, fifth] = plugin.args;
  const radius = numberOf(plugin.named.get("radius") ?? fifth);
  return lookedUp(plugin, {
    values: [overLeft(plugin, longitude, "real"), overLeft(plugin, latitude, "real")],
    key: named(shape),
    equal: [],
    showsKey: isTrue(plugin.named.get("return_lookup_key")),
    index: (keys) => {
      const shapes = keys.map((key): Json => key);
      const find = isLine
        ? createLineLookup(shapes, radius ?? 0)
        : createPolygonLookup(shapes, radius);
      return ([lng, lat]) => {
        return typeof lng === "number" && typeof lat === "number" ? find(lng, lat) : [];
      };
    },
  });
}

function lookedUp(plugin: PluginUse, lookup: Lookup): Table {
  const { args, named: options, node, table, state } = plugin;
  const [tableNode] = args;
  if (tableNode === undefined) throw new KqlError("semantic", "A lookup needs a lookup table.");
  const right = renewed(translateTabular(tableNode, state), state);
  const hidden = new Set([...lookup.equal, ...(lookup.showsKey ? [] : [lookup.key])]);
  const shown = right.columns.filter(({ name }) => !hidden.has(name));
  const width = table.columns.length;
  const count = lookup.values.length;
  const find = lookup.values.length;
  const left = [
    ...table.columns.map(use),
    ...lookup.values,
    ...lookup.equal.map((name) => use(column(table, name))),
  ];
  const other = [
    use(column(right, lookup.key)),
    ...lookup.equal.map((name) => use(column(right, name))),
    ...shown.map(use),
  ];
  const none = shown.map(({ type }) => (type === "string" ? "" : null));
  const keepsUnmatched = isTrue(options.get("return_unmatched"));
  const equal = lookup.equal.length;
  const make = (rows: readonly Row[], others: readonly Row[] = []): Row[] => {
    const matches = lookup.index(others.map(([key]) => key ?? null));
    const agreed = others.map((row) => rowKey(row.slice(1, 1 + equal)));
    return rows.flatMap((row) => {
      const wanted = rowKey(row.slice(width + find, width + find + equal));
      const positions = matches(row.slice(width, width + count)).filter((at) => {
        return agreed[at] === wanted;
      });
      const found = positions.map((at) =>
        (others[at] ?? []).slice(1 + equal, 1 + equal + none.length),
      );
      const start = row.slice(0, width);
      if (found.length === 0) return keepsUnmatched ? [start.concat(none)] : [];
      return found.map((values) => start.concat(values));
    });
  };
  const sources = [
    { table, values: left },
    { table: right, values: other },
  ] as const;
  return computedRows(sources, { columns: resultColumns(node), make }, state);
}

function overLeft(
  { table, state }: PluginUse,
  node: SyntaxNode | undefined,
  type: "string" | "real",
): Scalar {
  if (node === undefined) throw new KqlError("semantic", "A lookup needs a value to look up.");
  return cast(scalarOver(node, table, state), type);
}

function named(node: SyntaxNode | undefined): string {
  if (node === undefined) throw new KqlError("semantic", "A lookup needs a column to look in.");
  return nameOf(node);
}

function column(table: Table, name: string): Column {
  const found = findColumn(table, name);
  if (found === undefined) throw new KqlError("semantic", `There is no column '${name}'.`);
  return found;
}

function textOf(value: KqlValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function numberOf(node: SyntaxNode | undefined): number | undefined {
  const value = node === undefined ? undefined : literalOf(node)?.value;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

function isTrue(node: SyntaxNode | undefined): boolean {
  return node !== undefined && literalOf(node)?.value === true;
}

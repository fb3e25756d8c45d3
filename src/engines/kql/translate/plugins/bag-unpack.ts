import { KqlError } from "../../kql-error.ts";
import { columnsOf, maybe } from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { call, cast, literal, type Scalar } from "../../plan/scalar.ts";
import type { KqlColumn, KqlType, KqlValue } from "../../types.ts";
import { literalOf } from "../literals.ts";
import { findColumn, projected, showing, use, type Table } from "../translation.ts";
import { scalarType } from "../types.ts";
import { grouped } from "../operators/column-operators.ts";
import { scalarOver } from "../operators/operator.ts";
import { openColumns } from "./open-schema.ts";
import type { PluginUse } from "./plugin.ts";

interface Options {
  readonly bag: Column;
  readonly prefix: string;
  readonly conflict: string;
  readonly ignored: ReadonlySet<string>;
}

/** `bag_unpack(bag, prefix, conflicts, ignored)`: members of a bag as columns. */
export function bagUnpack(use_: PluginUse): Table {
  const { node, table, state } = use_;
  const options = optionsOf(use_);
  if (maybe(node, "Schema") === undefined) {
    throw openColumns(use_, membersOf(use_, options), (rows) =>
      unpackedColumns(rows, use_, options),
    );
  }
  const { bag, prefix, conflict } = options;
  const values = columnsOf(node).map(({ name, type: typeName }) => {
    const type = scalarType(typeName);
    const own = name === bag.name ? undefined : findColumn(table, name);
    const isKept = own !== undefined && (conflict !== "replace_source" || !name.startsWith(prefix));
    const member = call("path", "dynamic", use(bag), literal("string", name.slice(prefix.length)));
    const inBag = name.startsWith(prefix) ? converted(member, type) : literal(type, null);
    const value = isKept ? cast(use(own), type) : replacing(inBag, own, type);
    return { column: state.newColumn(name, type), value };
  });
  return projected(table, values);
}

/** A member takes the place of a column only in rows that have it. */
function replacing(value: Scalar, own: Column | undefined, type: KqlType): Scalar {
  return own === undefined ? value : call("coalesce", type, value, cast(use(own), type));
}

function converted(value: Scalar, type: KqlType): Scalar {
  return type === "dynamic" ? value : cast(value, type);
}

function optionsOf({ args, named, table, state, call: node }: PluginUse): Options {
  const [bagNode, prefix, conflict, ignored] = args;
  const value = bagNode === undefined ? undefined : scalarOver(bagNode, table, state);
  const bag = table.columns.find(({ id }) => value?.kind === "column" && value.id === id);
  if (bag === undefined) throw new KqlError("semantic", "bag_unpack() takes a column of bags.");
  const text = (index: number, name: string, other: string): string => {
    const found = named.get(name) ?? [bagNode, prefix, conflict, ignored][index];
    const literalValue = found === undefined ? other : literalOf(found)?.value;
    if (typeof literalValue === "string") return literalValue;
    throw new KqlError("semantic", `bag_unpack(): '${name}' is a literal text (${String(node)}).`);
  };
  const list = named.get("ignoredproperties") ?? ignored;
  const names = list === undefined ? [] : literalOf(list)?.value;
  return {
    bag,
    prefix: text(1, "outputcolumnprefix", ""),
    conflict: text(2, "columnsconflict", "error").toLowerCase(),
    ignored: new Set(Array.isArray(names) ? names.map(String) : []),
  };
}

/** The names of all members and the types of their values. */
function membersOf({ table, state }: PluginUse, { bag }: Options): Table {
  const element = state.newColumn("", "dynamic");
  const index = state.newColumn("", "long");
  const { relation } = projected({ ...showing(table, [bag]), order: [], group: [] }, [
    { column: bag, value: use(bag) },
  ]);
  const pairs: Table = {
    relation: {
      kind: "unnest",
      input: relation,
      arrays: [call("bag_pairs", "dynamic", use(bag))],
      limit: undefined,
      keepsEmpty: false,
      columns: [...relation.columns, element, index],
      order: [],
    },
    columns: [element],
    order: [],
    isSerialized: false,
    group: [],
  };
  const part = (at: bigint): Scalar => call("path", "dynamic", use(element), literal("long", at));
  const values = [cast(part(0n), "string"), call("gettype", "string", part(1n))];
  return grouped(pairs, values, [state.newColumn("", "string"), state.newColumn("", "string")]);
}

const MEMBER_TYPES: Readonly<Record<string, KqlType>> = {
  bool: "bool",
  int: "long",
  long: "long",
  real: "real",
  double: "real",
  decimal: "decimal",
  string: "string",
  datetime: "datetime",
  timespan: "timespan",
  guid: "guid",
};

/** The columns of the table with those of the members, by name; the bag itself goes. */
function unpackedColumns(
  rows: readonly (readonly KqlValue[])[],
  { table }: PluginUse,
  { bag, prefix, conflict, ignored }: Options,
): KqlColumn[] {
  const members = new Map<string, KqlType>();
  for (const [key, kind] of rows) {
    if (typeof key !== "string" || typeof kind !== "string" || ignored.has(key)) continue;
    const before = members.get(prefix + key);
    const type = kind === "null" ? before : (MEMBER_TYPES[kind] ?? "dynamic");
    members.set(prefix + key, common(before, type));
  }
  const columns = table.columns.flatMap((column): KqlColumn[] => {
    const member = members.get(column.name);
    if (column === bag) return member === undefined ? [] : [{ name: bag.name, type: member }];
    if (member !== undefined && conflict === "error") {
      throw new KqlError("semantic", `bag_unpack(): there is a column '${column.name}' already.`);
    }
    return [conflict === "replace_source" ? { ...column, type: member ?? column.type } : column];
  });
  const known = new Set(columns.map(({ name }) => name));
  const fresh = [...members].filter(([name]) => !known.has(name));
  const sorted = fresh.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [...columns, ...sorted.map(([name, type]) => ({ name, type }))];
}

const NUMBERS = new Set<KqlType>(["long", "real"]);

/** Whole numbers and others are numbers; all else that differs stays dynamic. */
function common(before: KqlType | undefined, type: KqlType | undefined): KqlType {
  if (before === undefined || type === undefined) return before ?? type ?? "dynamic";
  if (before === type) return type;
  return NUMBERS.has(before) && NUMBERS.has(type) ? "real" : "dynamic";
}

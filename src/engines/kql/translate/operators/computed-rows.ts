import { KqlError } from "../../kql-error.ts";
import type { Rows } from "../../plan/relation.ts";
import { literal, type Scalar } from "../../plan/scalar.ts";
import type { KqlColumn, KqlValue } from "../../types.ts";
import { hoistWindows } from "../hoist.ts";
import { oneRow } from "../table-shapes.ts";
import { projected, use, type Table, type Translation } from "../translation.ts";
import { ORDINAL } from "./serialize.ts";

/** Rows that one operator may hand to JavaScript; they are in memory all at once. */
const ROWS_MAX = 2_000_000;

export type Row = readonly KqlValue[];

/** What JavaScript gets to see of a table: these values of each row, in the table's order. */
export interface RowSource {
  readonly table: Table;
  readonly values: readonly Scalar[];
}

export interface RowMaker {
  readonly columns: readonly KqlColumn[];
  /** Rows of the first source (of one group), and all rows of the others. */
  readonly make: (rows: readonly Row[], ...others: readonly (readonly Row[])[]) => readonly Row[];
}

/** A table of rows made in JavaScript, in the order in which they are made, group by group. */
export function computedRows(
  [source, ...others]: readonly [RowSource, ...RowSource[]],
  { columns: wanted, make }: RowMaker,
  state: Translation,
): Table {
  const { group } = source.table;
  const columns = wanted.map(({ name, type }) => state.newColumn(name, type));
  const ordinal = state.newColumn(ORDINAL, "long");
  const order = [{ value: use(ordinal), descending: false, nullsFirst: false }];
  const main = inputOf({ ...source, values: [...group.map(use), ...source.values] }, state);
  const inputs = [main, ...others.map((one) => inputOf(one, state))];
  const relation: Table["relation"] = {
    kind: "computed",
    inputs: inputs.map((input) => input.relation),
    compute: (streams) => compute(streams, group.length, make),
    columns: [...group, ...columns, ordinal],
    order,
  };
  return { relation, columns, order, isSerialized: false, group };
}

/** One row of scalars that no table is needed for: what options of operators are computed from. */
export function scalarRow(values: readonly Scalar[], state: Translation): RowSource {
  // A row has at least one value.
  return { table: oneRow(state), values: values.length === 0 ? [literal("long", 0n)] : values };
}

function inputOf({ table, values }: RowSource, state: Translation): Table {
  const hoisted = hoistWindows(table, values, state, true);
  const made = hoisted.scalars.map((value) => ({
    column: state.newColumn("", value.type),
    value,
  }));
  const all = projected(hoisted.table, made);
  const { relation } = all;
  // Hidden columns of the order stay behind the values; JavaScript does not look at them.
  return { ...all, relation, columns: made.map(({ column }) => column) };
}

async function* compute(streams: readonly Rows[], groupSize: number, make: RowMaker["make"]): Rows {
  const tables: Row[][] = [];
  // One after another: a connection reads one result at a time.
  for (const stream of streams) tables.push(await collected(stream));
  const [rows = [], ...others] = tables;
  const groups = groupSize === 0 ? [rows] : grouped(rows, groupSize);
  let ordinal = 0n;
  for (const members of groups) {
    const key = groupSize === 0 ? [] : (members[0] ?? []).slice(0, groupSize);
    const plain = groupSize === 0 ? members : members.map((row) => row.slice(groupSize));
    yield make(plain, ...others).map((row) => key.concat(row, ordinal++));
  }
}

async function collected(stream: Rows): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const chunk of stream) {
    for (const row of chunk) rows.push(row);
    if (rows.length > ROWS_MAX) {
      const most = String(ROWS_MAX);
      throw new KqlError("limit", `An operator of this query works on at most ${most} rows.`);
    }
  }
  return rows;
}

function grouped(rows: readonly Row[], size: number): Iterable<readonly Row[]> {
  return Map.groupBy(rows, (row) => rowKey(row.slice(0, size))).values();
}

/** A text that is the same for equal values alone. */
export function rowKey(values: Row): string {
  return values.map(valueKey).join("\u0000");
}

export function valueKey(value: KqlValue): string {
  if (value === null) return "";
  if (typeof value === "object") return `o${jsonKey(value)}`;
  return `${typeof value}${String(value)}`;
}

function jsonKey(value: object): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? `${one}n` : one));
}

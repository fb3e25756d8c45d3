import type { TableSchema } from "../types.ts";
import { KqlError } from "../kql-error.ts";
import type { BoundColumn } from "../language/syntax.ts";
import type { Column, Relation } from "../plan/relation.ts";
import { cast, literal } from "../plan/scalar.ts";
import {
  EXTENT_COLUMN,
  findColumn,
  INGESTED_COLUMN,
  projected,
  showing,
  tableOfRelation,
  use,
  type Table,
  type Translation,
} from "./translation.ts";
import { scalarType } from "./types.ts";

/** The same rows under new columns, so that a table can be used twice in one query. */
export function renewed(table: Table, state: Translation, isMaterialized = false): Table {
  const { relation } = table;
  const ids = new Map<number, Column>();
  for (const column of relation.columns) {
    ids.set(column.id, state.newColumn(column.name, column.type));
  }
  const renew = (column: Column): Column => ids.get(column.id) ?? column;
  const order = table.order.map((key) => {
    if (key.value.kind !== "column") return key;
    const column = ids.get(key.value.id);
    return column === undefined ? key : { ...key, value: use(column) };
  });
  const columns = relation.columns.map(renew);
  const shared: Relation = { kind: "shared", of: relation, isMaterialized, columns, order };
  return {
    ...table,
    relation: shared,
    columns: table.columns.map((column) => ({ ...renew(column), name: column.name })),
    order,
    group: table.group.map(renew),
  };
}

/**
 * The table with the columns that the binder names for a node: by name from what is visible, each
 * in the type that the binder tells.
 */
export function arranged(table: Table, bound: readonly BoundColumn[], state: Translation): Table {
  const values = bound.map(({ name, type: typeName }) => {
    const column = findColumn(table, name);
    if (column === undefined) throw new KqlError("semantic", `There is no column '${name}'.`);
    const type = typeName === "unknown" ? column.type : scalarType(typeName);
    if (type === column.type) return { column, value: use(column) };
    return { column: state.newColumn(name, type), value: cast(use(column), type) };
  });
  const isUnchanged = values.every(({ column }, index) => table.columns[index] === column);
  if (isUnchanged && values.length === table.columns.length) return table;
  const isPicked = values.every(({ value }) => value.kind === "column");
  return isPicked
    ? showing(
        table,
        values.map(({ column }) => column),
      )
    : projected(table, values);
}

/** One row without columns of use: what `print` starts from. */
export function oneRow(state: Translation): Table {
  const column = state.newColumn("", "long");
  const relation: Relation = {
    kind: "project",
    input: undefined,
    columns: [column],
    values: [literal("long", 0n)],
    order: [],
  };
  return { ...tableOfRelation(relation), columns: [] };
}

/** A table of the database. */
export function storedTable(schema: TableSchema, state: Translation): Table {
  const { sqlName, system } = schema;
  const columns = schema.columns.map(({ name, type }) => state.newColumn(name, type));
  const stored = schema.columns.map((column) => column.sqlName);
  const hidden: Column[] = [];
  if (system !== undefined) {
    hidden.push(state.newColumn(INGESTED_COLUMN, "datetime"));
    hidden.push(state.newColumn(EXTENT_COLUMN, "string"));
    stored.push(system.ingested, system.extent);
  }
  const all = [...columns, ...hidden];
  const table = tableOfRelation({ kind: "table", sqlName, stored, columns: all, order: [] });
  return showing(table, columns);
}

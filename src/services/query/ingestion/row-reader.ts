import type { Json, KqlType, KqlValue } from "#engines/kql/types.ts";
import { physicalColumns, type CatalogTable } from "../catalog/catalog-schema.ts";
import type { ColumnMapping } from "../catalog/mapping-text.ts";
import type { TextRecord } from "./delimited-text.ts";
import { IngestionError } from "./ingestion-error.ts";
import { parseJsonPath, readJsonPath, withoutPaths, type JsonPath } from "./json-path.ts";
import { fromJson } from "./json-values.ts";
import { fromText } from "./text-values.ts";
import { bagOfBags, datetimeFromUnix, isUnixTransform } from "./transforms.ts";

/** A record with named fields. */
export interface JsonRecord {
  /** From 1. */
  readonly row: number;
  readonly value: Json;
}

/** Makes the values of a row, in the order in which the table stores its columns. */
export type RowReader<R> = (record: R) => readonly KqlValue[];

export interface ReaderOptions {
  readonly table: CatalogTable;
  /** Undefined: fields as the table has columns, by their order or by their names. */
  readonly mapping: readonly ColumnMapping[] | undefined;
  /** Where the data came from, for the transform `SourceLocation`. */
  readonly sourceName: string;
}

type Cell<R> = (record: R) => KqlValue;

export function textReader(options: ReaderOptions): RowReader<TextRecord> {
  const ordinals = new Map(options.table.columns.map(({ id }, index) => [id, index]));
  return reader(options, ({ id, type }, mapped) => {
    const ordinal = mapped?.ordinal ?? ordinals.get(id) ?? 0;
    if (isUnixTransform(mapped?.transform)) {
      const { transform } = mapped;
      return ({ fields }) => fromTicks(type, datetimeFromUnix(transform, fields[ordinal]));
    }
    return ({ fields }) => fromText(type, fields[ordinal] ?? "");
  });
}

export function jsonReader(options: ReaderOptions): RowReader<JsonRecord> {
  const all = (options.mapping ?? []).flatMap(({ path, transform }) =>
    path === undefined || transform === "DropMappedFields" ? [] : [parseJsonPath(path)],
  );
  return reader(options, ({ name, type }, mapped) => {
    const path = mapped?.path === undefined ? [name] : parseJsonPath(mapped.path);
    const transform = mapped?.transform;
    if (isUnixTransform(transform)) {
      return ({ value }) => fromTicks(type, datetimeFromUnix(transform, readJsonPath(value, path)));
    }
    const change = changeOf(transform, path, all);
    return ({ value }) => fromJson(type, change(readJsonPath(value, path)));
  });
}

function changeOf(
  transform: ColumnMapping["transform"],
  path: JsonPath,
  all: readonly JsonPath[],
): (value: Json | undefined) => Json | undefined {
  if (transform === "PropertyBagArrayToDictionary") return bagOfBags;
  if (transform !== "DropMappedFields") return (value) => value;
  const inside = all
    .filter((other) => other.length > path.length && path.every((step, at) => other[at] === step))
    .map((other) => other.slice(path.length));
  return (value) => (value === undefined ? undefined : withoutPaths(value, inside));
}

/** A datetime in a column of another type is what its ticks are there. */
function fromTicks(type: KqlType, ticks: bigint | null): KqlValue {
  if (type === "datetime") return ticks;
  return fromJson(type, ticks);
}

function reader<R extends { readonly row: number }>(
  { table, mapping, sourceName }: ReaderOptions,
  cellOf: (
    column: { readonly id: number; readonly name: string; readonly type: KqlType },
    mapped: ColumnMapping | undefined,
  ) => Cell<R>,
): RowReader<R> {
  checkColumns(table, mapping);
  const cells = physicalColumns(table).map((column): Cell<R> => {
    const mapped = mapping?.find((one) => one.column === column.name);
    if (mapping !== undefined && mapped === undefined) return constant(column.type, "");
    if (mapped?.transform === "SourceLocation") return constant(column.type, sourceName);
    if (mapped?.transform === "SourceLineNumber") {
      return ({ row }) => fromText(column.type, `${row}`);
    }
    if (mapped?.constant !== undefined) return constant(column.type, mapped.constant);
    return cellOf(column, mapped);
  });
  return (record) => cells.map((cell) => cell(record));
}

function constant<R>(type: KqlType, text: string): Cell<R> {
  const value = fromText(type, text);
  return () => value;
}

function checkColumns(table: CatalogTable, mapping: readonly ColumnMapping[] | undefined): void {
  for (const { column } of mapping ?? []) {
    if (table.columns.some(({ name }) => name === column)) continue;
    const message = `The mapping names column '${column}', which table '${table.name}' has not.`;
    throw new IngestionError("mapping", message);
  }
}

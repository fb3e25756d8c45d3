import { isArray, jsonText, parseJson } from "#engines/duckdb/json-text.ts";
import { KQL_TYPES, type Json, type JsonBag, type KqlType } from "#engines/kql/types.ts";
import { CatalogError } from "./catalog-error.ts";
import type { MappingKind } from "./catalog-schema.ts";

export const TRANSFORMS = [
  "PropertyBagArrayToDictionary",
  "SourceLocation",
  "SourceLineNumber",
  "DateTimeFromUnixSeconds",
  "DateTimeFromUnixMilliseconds",
  "DateTimeFromUnixMicroseconds",
  "DateTimeFromUnixNanoseconds",
  "DropMappedFields",
  "BytesAsBase64",
] as const;
export type Transform = (typeof TRANSFORMS)[number];

/** Where one column's values come from. */
export interface ColumnMapping {
  readonly column: string;
  readonly type: KqlType | undefined;
  /** Of a text with columns, from 0. */
  readonly ordinal: number | undefined;
  /** Of a record: `$.a.b[0]`, or the plain name of a field. */
  readonly path: string | undefined;
  /** In place of a value of the record. */
  readonly constant: string | undefined;
  readonly transform: Transform | undefined;
}

/** Older names of types, as mappings and commands still spell them. */
const TYPE_NAMES: ReadonlyMap<string, KqlType> = new Map([
  ...KQL_TYPES.map((type) => [type, type] as const),
  ["boolean", "bool"],
  ["date", "datetime"],
  ["time", "timespan"],
  ["double", "real"],
  ["float", "real"],
  ["int32", "int"],
  ["int64", "long"],
  ["uuid", "guid"],
  ["uniqueid", "guid"],
  ["object", "dynamic"],
  ["sqldecimal", "decimal"],
  ["numeric", "decimal"],
]);

const ORDINAL = /^\d{1,5}$/u;
/** Kinds whose records are rows of columns without names. */
const POSITIONAL: ReadonlySet<MappingKind> = new Set(["csv"]);

/** Reads a type in any spelling, such as `System.Int64`; undefined when there is none. */
function typeNamed(name: string): KqlType | undefined {
  const short = name
    .trim()
    .toLowerCase()
    .replace(/^system\.(?:data\.sqltypes\.)?/u, "");
  return TYPE_NAMES.get(short);
}

/** Reads a mapping of a kind; names of properties are the same in upper and lower case. */
export function parseMapping(kind: MappingKind, text: string): readonly ColumnMapping[] {
  const items = itemsOf(text);
  const columns = items.map((item, index) => columnMapping(kind, item, index));
  const names = columns.map(({ column }) => column);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw wrong(`maps column '${twice}' more than once`);
  return columns;
}

function itemsOf(text: string): readonly Json[] {
  try {
    const items = parseJson(text);
    if (isArray(items)) return items;
  } catch (error) {
    throw wrong(`is not JSON: ${String(error)}`);
  }
  throw wrong("is not a JSON array");
}

function columnMapping(kind: MappingKind, item: Json, index: number): ColumnMapping {
  if (!isBag(item)) throw wrong(`holds no object at ${index}`);
  const own = lowerCase(item);
  const nested = own["properties"];
  // The properties used to stand beside the name of the column.
  const all = { ...own, ...(nested !== undefined && isBag(nested) ? lowerCase(nested) : {}) };
  const column = textOf(all, "column", "name");
  if (column === undefined) throw wrong(`names no column at ${index}`);
  const ordinal = textOf(all, "ordinal");
  if (ordinal !== undefined && !ORDINAL.test(ordinal)) {
    throw wrong(`has the ordinal '${ordinal}' for column '${column}', which is no number`);
  }
  const mapping = {
    column,
    type: typeOf(column, textOf(all, "datatype", "cslDataType".toLowerCase())),
    ordinal: ordinal === undefined ? undefined : Number(ordinal),
    path: textOf(all, "path", "field"),
    constant: textOf(all, "constvalue", "constantvalue"),
    transform: transformOf(column, textOf(all, "transform", "transformationmethod")),
  };
  checkSource(kind, mapping);
  return mapping;
}

function checkSource(kind: MappingKind, mapping: ColumnMapping): void {
  const { column, ordinal, path, constant, transform } = mapping;
  if (constant !== undefined) return;
  if (transform === "SourceLocation" || transform === "SourceLineNumber") return;
  if ((POSITIONAL.has(kind) ? ordinal : path) !== undefined) return;
  const source = POSITIONAL.has(kind) ? "Ordinal" : "Path";
  throw wrong(`has no ${source} and no ConstValue for column '${column}'`);
}

function typeOf(column: string, name: string | undefined): KqlType | undefined {
  if (name === undefined || name === "") return undefined;
  const type = typeNamed(name);
  if (type === undefined) throw wrong(`gives column '${column}' the unknown type '${name}'`);
  return type;
}

function transformOf(column: string, name: string | undefined): Transform | undefined {
  if (name === undefined || name === "" || name === "None") return undefined;
  const transform = TRANSFORMS.find((known) => known.toLowerCase() === name.toLowerCase());
  if (transform === undefined) throw wrong(`names the unknown transform '${name}' for '${column}'`);
  return transform;
}

function isBag(value: Json): value is JsonBag {
  return typeof value === "object" && value !== null && !isArray(value);
}

function lowerCase(bag: JsonBag): JsonBag {
  return Object.fromEntries(Object.entries(bag).map(([key, value]) => [key.toLowerCase(), value]));
}

/** The first of these properties that is there, as text. */
function textOf(bag: JsonBag, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = bag[name];
    if (value === undefined || value === null) continue;
    return typeof value === "string" ? value : jsonText(value);
  }
  return undefined;
}

function wrong(what: string): CatalogError {
  return new CatalogError("invalid-value", `The mapping ${what}.`);
}

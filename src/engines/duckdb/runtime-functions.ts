import { KqlError } from "#engines/kql/kql-error.ts";
import {
  DuckDBScalarFunction,
  VARCHAR,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { Parameter, RuntimeFunction } from "#engines/kql/runtime/runtime-function.ts";
import { KQL_TYPES, type Json, type KqlType, type KqlValue } from "#engines/kql/types.ts";
import { packError } from "./errors.ts";
import { isArray, jsonText, parseJson } from "./json-text.ts";
import { DUCKDB_TYPES, fromDuckDb, toDuckDb, CHUNK_ROWS } from "./values.ts";

/** Stands for "a null where none is allowed": the result is null without a call. */
const NO_CALL = Symbol("no call");
type Argument = KqlValue | readonly KqlValue[] | typeof NO_CALL;
const BIG_TYPES: ReadonlySet<KqlType> = new Set(["long", "datetime", "timespan"]);

type Read = (value: DuckDBValue) => Argument;

/** Registers each function once under `kql_<name>_<index among the overloads of the name>`. */
export function registerFunctions(
  connection: DuckDBConnection,
  functions: readonly RuntimeFunction[],
): void {
  const overloads = new Map<string, number>();
  for (const runtime of functions) {
    const index = overloads.get(runtime.name) ?? 0;
    overloads.set(runtime.name, index + 1);
    connection.registerScalarFunction(scalarFunction(`kql_${runtime.name}_${index}`, runtime));
  }
}

function scalarFunction(name: string, runtime: RuntimeFunction): DuckDBScalarFunction {
  const { parameters, rest, returns, isVolatile = false } = runtime;
  const parameterTypes = parameters.map(physicalType);
  return DuckDBScalarFunction.create({
    name,
    parameterTypes: rest === undefined ? parameterTypes : [...parameterTypes, VARCHAR],
    returnType: DUCKDB_TYPES[returns],
    // Nulls are ours to handle: some parameters allow them, and a string result is never null.
    specialHandling: true,
    volatile: isVolatile,
    mainFunction(_info, input, output) {
      try {
        const readers = [
          ...parameters.map(reader),
          ...(rest === undefined ? [] : [restReader(rest)]),
        ];
        const until = performance.now() + CHUNK_TIME_MAX_MS;
        for (const [row, values] of argumentRows(input, readers).entries()) {
          output.setItem(row, toDuckDb(call(runtime, values), returns));
          if (performance.now() > until) throw tooSlow(runtime.name);
        }
        output.flush();
      } catch (error) {
        throw packError(runtime.name, error);
      }
    },
  });
}

/** Rows come in chunks, and nothing else gets a turn until a chunk is done. */
const CHUNK_TIME_MAX_MS = 10_000;

function tooSlow(name: string): KqlError {
  return new KqlError(
    "limit",
    `${name}() took more than ${CHUNK_TIME_MAX_MS} ms for ${CHUNK_ROWS} rows at once.`,
    { code: "E_QUERY_TIMEOUT" },
  );
}

function physicalType(parameter: Parameter) {
  return parameter === "any" ? VARCHAR : DUCKDB_TYPES[typeOf(parameter)];
}

function typeOf(parameter: Exclude<Parameter, "any">): KqlType {
  const type = KQL_TYPES.find((known) => parameter === known || parameter === `${known}?`);
  if (type === undefined) throw new TypeError(`There is no type ${parameter}.`);
  return type;
}

function call(runtime: RuntimeFunction, values: readonly Argument[]): KqlValue {
  if (values.includes(NO_CALL)) return null;
  // `rest` arrives as one array, which is a `Json` for all that TypeScript knows.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return runtime.run(...(values as KqlValue[]));
}

function argumentRows(input: DuckDBDataChunk, readers: readonly Read[]): Argument[][] {
  const rows: Argument[][] = Array.from({ length: input.rowCount }, () => []);
  for (const [column, read] of readers.entries()) {
    const vector = input.getColumnVector(column);
    for (const [index, row] of rows.entries()) row.push(read(vector.getItem(index)));
  }
  return rows;
}

function reader(parameter: Parameter): Read {
  if (parameter === "any") return remember((value) => fromDuckDb(value, "dynamic"));
  const type = typeOf(parameter);
  if (type === "dynamic") return remember((value) => orNoCall(value, parameter));
  return (value) => orNoCall(value, parameter);
}

function orNoCall(value: DuckDBValue, parameter: Exclude<Parameter, "any">): Argument {
  const type = typeOf(parameter);
  if (value === null) return parameter !== type ? null : type === "string" ? "" : NO_CALL;
  const read = fromDuckDb(value, type);
  // The text `null` is dynamic(null) as well.
  return read === null && parameter === type ? NO_CALL : read;
}

/** Constant arguments come once per row: parses the same text once, into the same object. */
function remember(read: Read): Read {
  let last: { readonly value: DuckDBValue; readonly argument: Argument } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, argument: read(value) };
    return last.argument;
  };
}

function restReader(type: KqlType | "any"): Read {
  return remember((value) => {
    const items = typeof value === "string" ? parseJson(value) : [];
    if (!isArray(items)) throw new TypeError("Further arguments are a JSON array.");
    if (type === "any") return items;
    const values = items.map((item) => fromJson(item, type));
    return values.includes(null) ? NO_CALL : values;
  });
}

/** A value that came inside of JSON, as its own type. */
function fromJson(item: Json, type: KqlType): KqlValue {
  if (type === "dynamic") return item;
  if (type === "string") return item === null ? "" : plainText(item);
  if (typeof item === "object") return null;
  return BIG_TYPES.has(type) ? BigInt(item) : type === "real" ? Number(item) : item;
}

function plainText(item: Json): string {
  return typeof item === "string" ? item : jsonText(item);
}

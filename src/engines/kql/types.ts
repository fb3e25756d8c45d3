/** The scalar types of the language. */
export const KQL_TYPES = [
  "bool",
  "int",
  "long",
  "real",
  "decimal",
  "string",
  "datetime",
  "timespan",
  "guid",
  "dynamic",
] as const;
export type KqlType = (typeof KQL_TYPES)[number];

/** Names of the types in `getschema` and in the schemas that editors read. */
export const SYSTEM_TYPES: Readonly<Record<KqlType, string>> = {
  bool: "System.SByte",
  int: "System.Int32",
  long: "System.Int64",
  real: "System.Double",
  decimal: "System.Data.SqlTypes.SqlDecimal",
  string: "System.String",
  datetime: "System.DateTime",
  timespan: "System.TimeSpan",
  guid: "System.Guid",
  dynamic: "System.Object",
};

/** What a `dynamic` value is in JavaScript. Integers beyond 2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonBag;
export interface JsonBag {
  readonly [key: string]: Json;
}

/** The JavaScript value of each type; times are ticks of 100 ns (datetime: since 0001-01-01). */
export interface KqlValues {
  bool: boolean;
  int: number;
  long: bigint;
  real: number;
  /** Decimal digits as text. */
  decimal: string;
  string: string;
  datetime: bigint;
  timespan: bigint;
  guid: string;
  dynamic: Json;
}

/** One cell in JavaScript. There are no null strings: a missing string is `""`. */
export type KqlValue = KqlValues[KqlType] | null;

export interface KqlColumn {
  readonly name: string;
  readonly type: KqlType;
}

/** A stored column: its name in the language, and the one that the SQL engine knows. */
export interface StoredColumn extends KqlColumn {
  readonly sqlName: string;
}

export interface TableSchema {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Name of the table in the SQL engine, quoted and qualified. */
  readonly sqlName: string;
  /** Columns in the SQL engine that say when a row came (ticks) and with what (a UUID). */
  readonly system?: { readonly ingested: string; readonly extent: string };
  readonly folder: string;
  readonly docString: string;
}

export interface FunctionSchema {
  readonly name: string;
  /** As declared, with parentheses: `(x:long, T:(a:string))`. */
  readonly parameters: string;
  /** As declared, with braces: `{ T | where a > x }`. */
  readonly body: string;
  readonly folder: string;
  readonly docString: string;
}

export interface DatabaseSchema {
  readonly name: string;
  readonly prettyName: string;
  readonly tables: readonly TableSchema[];
  readonly functions: readonly FunctionSchema[];
}

/** All that a query can name. A change makes a new object, so that plans are cached by identity. */
export interface ClusterSchema {
  readonly databases: readonly DatabaseSchema[];
}

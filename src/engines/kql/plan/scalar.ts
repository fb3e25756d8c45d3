import type { KqlType, KqlValue } from "../types.ts";
import type { Relation, SortKey } from "./relation.ts";

/** A scalar expression of a plan: plain data, bound and typed, of no SQL dialect. */
export type Scalar = Literal | ColumnUse | Call | Aggregate | Window | Subquery | Cast;

export interface Literal {
  readonly kind: "literal";
  readonly type: KqlType;
  readonly value: KqlValue;
}

export interface ColumnUse {
  readonly kind: "column";
  readonly id: number;
  readonly type: KqlType;
}

/** A function or an operator of the language; operators go by their sign (`==`, `+`, `has`). */
export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Scalar[];
  readonly type: KqlType;
}

export interface Aggregate {
  readonly kind: "aggregate";
  readonly name: string;
  readonly args: readonly Scalar[];
  readonly type: KqlType;
  /** Order of the rows that go in, where it shows (`make_list`). */
  readonly order: readonly SortKey[];
}

/** A value that depends on the rows around: `row_number`, `prev`, … */
export interface Window {
  readonly kind: "window";
  readonly name: string;
  readonly args: readonly Scalar[];
  readonly type: KqlType;
  readonly partition: readonly Scalar[];
  readonly order: readonly SortKey[];
}

/** The first column of a relation: of its first row, or as a set of all rows for `in`. */
export interface Subquery {
  readonly kind: "subquery";
  readonly relation: Relation;
  readonly type: KqlType;
  readonly isSet?: boolean;
}

/** A conversion that the language makes by itself, such as long to real. */
export interface Cast {
  readonly kind: "cast";
  readonly value: Scalar;
  readonly type: KqlType;
}

export function literal(type: KqlType, value: KqlValue): Literal {
  return { kind: "literal", type, value };
}

export function call(name: string, type: KqlType, ...args: readonly Scalar[]): Call {
  return { kind: "call", name, args, type };
}

/** The expression with the type; numbers widen, everything else goes through `to…`. */
export function cast(value: Scalar, type: KqlType): Scalar {
  if (value.type === type) return value;
  if (value.kind === "literal" && value.value === null && type !== "string") {
    return literal(type, null);
  }
  return { kind: "cast", value, type };
}

/** The expressions that an expression is directly made of. */
export function partsOf(scalar: Scalar): readonly Scalar[] {
  if (scalar.kind === "cast") return [scalar.value];
  if (scalar.kind === "window") return [...scalar.args, ...scalar.partition];
  return scalar.kind === "call" || scalar.kind === "aggregate" ? scalar.args : [];
}

/** The expression with its direct parts replaced. */
export function mapScalar(scalar: Scalar, map: (part: Scalar) => Scalar): Scalar {
  if (scalar.kind === "cast") return { ...scalar, value: map(scalar.value) };
  if (scalar.kind === "window") {
    return { ...scalar, args: scalar.args.map(map), partition: scalar.partition.map(map) };
  }
  if (scalar.kind !== "call" && scalar.kind !== "aggregate") return scalar;
  return { ...scalar, args: scalar.args.map(map) };
}

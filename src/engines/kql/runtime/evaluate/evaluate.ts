import { KqlError } from "../../kql-error.ts";
import type { Call, Scalar } from "../../plan/scalar.ts";
import type { KqlValue } from "../../types.ts";
import { callerOf } from "../call-function.ts";
import { runtimeFunctions } from "../functions.ts";
import { converted } from "./convert.ts";
import { logic } from "./logic.ts";
import { numbers } from "./numbers.ts";
import { texts } from "./texts.ts";

/** Values of the columns that an expression reads, by the places that `compileScalar` was told. */
export type Cells = readonly KqlValue[];

export type Evaluate = (cells: Cells) => KqlValue;

/** How a function is evaluated: `args` are still to be evaluated, so that some may be left out. */
export type Evaluator = (args: readonly Evaluate[], call: Call) => Evaluate;

const EVALUATORS: Readonly<Record<string, Evaluator>> = { ...logic, ...numbers, ...texts };

const callRuntime = callerOf(runtimeFunctions);
const RUNTIME_NAMES: ReadonlySet<string> = new Set(runtimeFunctions.map(({ name }) => name));

/**
 * An expression of a plan as a JavaScript function, for operators that go from row to row.
 * `placeOf` tells where a column's value is in the cells.
 */
export function compileScalar(scalar: Scalar, placeOf: (id: number) => number): Evaluate {
  if (scalar.kind === "aggregate" || scalar.kind === "window" || scalar.kind === "subquery") {
    throw new KqlError("unsupported", `A ${scalar.kind} cannot be used in an expression here.`);
  }
  if (scalar.kind === "literal") {
    const { value } = scalar;
    return () => value;
  }
  if (scalar.kind === "column") {
    const place = placeOf(scalar.id);
    return (cells) => cells[place] ?? null;
  }
  if (scalar.kind === "cast") {
    const value = compileScalar(scalar.value, placeOf);
    const [from, { type }] = [scalar.value.type, scalar];
    return (cells) => converted(value(cells), from, type);
  }
  return compileCall(
    scalar,
    scalar.args.map((one) => compileScalar(one, placeOf)),
  );
}

function compileCall(call: Call, args: readonly Evaluate[]): Evaluate {
  const { name, type } = call;
  const evaluator = Object.hasOwn(EVALUATORS, name) ? EVALUATORS[name] : undefined;
  if (evaluator !== undefined) return evaluator(args, call);
  if (RUNTIME_NAMES.has(name)) {
    return (cells) => callRuntime(name, ...args.map((one) => one(cells)));
  }
  if (name.startsWith("to") && call.args.length === 1) {
    const from = call.args[0]?.type ?? "dynamic";
    const [value] = args;
    return (cells) => converted(value?.(cells) ?? null, from, type);
  }
  throw new KqlError("unsupported", `The function ${name}() cannot be used in an expression here.`);
}

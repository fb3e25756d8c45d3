import type { KqlType, KqlValue, KqlValues } from "../types.ts";
import { type Parameter, runtimeFunction, type RuntimeFunction } from "./runtime-function.ts";

type Of<P> = P extends KqlType
  ? KqlValues[P]
  : P extends `${infer T extends KqlType}?`
    ? KqlValues[T] | null
    : KqlValue;
type RestOf<V> = V extends KqlType ? KqlValues[V] | null : KqlValue;

/** What a function of any number of arguments is called, takes and gives. */
interface Signature<P extends readonly Parameter[], V, R> {
  readonly name: string;
  /** The arguments before the repeated ones. */
  readonly first: P;
  readonly rest: V;
  readonly returns: R;
}

/** Declares a function of any number of arguments of one type; they reach `run` in one array. */
export function variadicFunction<
  const P extends readonly Parameter[],
  V extends KqlType | "any",
  R extends KqlType,
>(
  { name, first, rest, returns }: Signature<P, V, R>,
  run: (
    ...values: [...{ -readonly [K in keyof P]: Of<P[K]> }, readonly RestOf<V>[]]
  ) => KqlValues[R] | null,
): RuntimeFunction {
  const declared = runtimeFunction(name, first, returns, () => null);
  // The caller hands over values of exactly these types, the repeated ones as one array.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...declared, rest, run: run as RuntimeFunction["run"] };
}

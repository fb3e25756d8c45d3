import type { KqlType, KqlValue, KqlValues } from "../types.ts";

/** A type, or with `?` one that may be missing or null, or `any` (told by what it holds). */
export type Parameter = KqlType | `${KqlType}?` | "any";

type ValueOf<P extends Parameter> = P extends KqlType
  ? KqlValues[P]
  : P extends `${infer T extends KqlType}?`
    ? KqlValues[T] | null
    : KqlValue;

/**
 * A scalar function in JavaScript, for what SQL cannot say.
 *
 * A null where a parameter allows none gives null without a call (for `string` results: `""`).
 * With `rest`, all further arguments arrive as one array, the last argument of `run`. Throwing a
 * `KqlError` fails the query with its sentence.
 */
export interface RuntimeFunction {
  /** As in the language; several entries of one name are overloads, tried in order. */
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly rest?: KqlType | "any";
  readonly returns: KqlType;
  /** The result is not a function of the arguments alone (`rand`, `new_guid`). */
  readonly isVolatile?: boolean;
  readonly run: (...values: readonly KqlValue[]) => KqlValue;
}

type Values<P extends readonly Parameter[]> = { -readonly [K in keyof P]: ValueOf<P[K]> };

/** Declares a function; the types of `run` follow from the parameters. */
export function runtimeFunction<const P extends readonly Parameter[], R extends KqlType>(
  name: string,
  parameters: P,
  returns: R,
  run: (...values: Values<P>) => KqlValues[R] | null,
): RuntimeFunction {
  // The caller hands over values of exactly these types: the binder has checked and converted them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { name, parameters, returns, run: run as RuntimeFunction["run"] };
}

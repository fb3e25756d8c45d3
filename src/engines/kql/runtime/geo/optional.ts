import type { RuntimeFunction } from "../runtime-function.ts";

/**
 * The overloads of a function whose last parameters may be left out.
 *
 * A missing argument has a default; one that is null makes the result null, as every other null.
 */
export function withOptional(declared: RuntimeFunction, optionalCount: number): RuntimeFunction[] {
  const { parameters } = declared;
  return Array.from({ length: optionalCount + 1 }, (_, missing) => ({
    ...declared,
    parameters: parameters.slice(0, parameters.length - missing),
  }));
}

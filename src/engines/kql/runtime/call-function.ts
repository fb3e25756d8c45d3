import type { KqlValue } from "../types.ts";
import type { RuntimeFunction } from "./runtime-function.ts";

/**
 * A caller by name with plain arguments, as a query would call: picks the first overload whose
 * parameters take the arguments, and answers null for a null that the overload does not allow.
 */
export function callerOf(functions: readonly RuntimeFunction[]) {
  return (name: string, ...values: readonly KqlValue[]): KqlValue => {
    const overload = functions.find((it) => it.name === name && takes(it, values));
    if (overload === undefined) throw new TypeError(`No overload of ${name} takes these values.`);

    const { parameters, rest } = overload;
    const first = parameters.map((_, at) => values[at] ?? null);
    const isNull = first.some((value, at) => value === null && isRequired(parameters[at]));
    if (isNull) return overload.returns === "string" ? "" : null;
    const repeated = values.slice(parameters.length);
    // The repeated arguments travel as one array, which no declared type of a value describes.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return overload.run(...first, ...(rest === undefined ? [] : [repeated as never]));
  };
}

function takes({ parameters, rest }: RuntimeFunction, values: readonly KqlValue[]): boolean {
  if (rest === undefined && values.length > parameters.length) return false;
  const required = parameters.filter(isRequired).length;
  if (values.length < required) return false;
  return values.every((value, at) => fits(parameters[at] ?? rest ?? "any", value));
}

function isRequired(parameter: string | undefined): boolean {
  return parameter !== undefined && !parameter.endsWith("?") && parameter !== "any";
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  bool: ["boolean"],
  int: ["number"],
  real: ["number"],
  long: ["bigint"],
  datetime: ["bigint"],
  timespan: ["bigint"],
  string: ["string"],
  guid: ["string"],
  decimal: ["string"],
};

function fits(parameter: string, value: KqlValue): boolean {
  if (value === null) return true;
  return KINDS[parameter.replace("?", "")]?.includes(typeof value) ?? true;
}

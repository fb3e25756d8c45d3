import type { Parameter, RuntimeFunction } from "../../../runtime/runtime-function.ts";
import type { KqlType } from "../../../types.ts";
import { nullOf, type Sql } from "../sql.ts";
import { jsonOf } from "../texts.ts";
import { castSql } from "./conversions.ts";
import { jsonList } from "./dynamics.ts";

/** The call of a function in JavaScript: the first overload that takes these arguments. */
export function runtimeCall(
  name: string,
  overloads: readonly RuntimeFunction[],
  args: readonly Sql[],
): string | undefined {
  const exact = overloads.findIndex((one) => takes(one, args, (a, b) => a === b));
  const index = exact === -1 ? overloads.findIndex((one) => takes(one, args, converts)) : exact;
  const found = overloads[index];
  if (found === undefined) return undefined;
  const passed = found.parameters.map((parameter, at) => argument(parameter, args[at]));
  const more = args.slice(found.parameters.length);
  if (found.rest !== undefined) passed.push(restOf(found.rest, more));
  const call = `kql_${name}_${String(index)}(${passed.join(", ")})`;
  return found.returns === "string" ? `coalesce(${call}, '')` : call;
}

function takes(
  { parameters, rest }: RuntimeFunction,
  args: readonly Sql[],
  fits: (type: KqlType, parameter: Parameter) => boolean,
): boolean {
  if (args.length > parameters.length && rest === undefined) return false;
  return parameters.every((parameter, index) => {
    const given = args[index];
    if (given === undefined) return parameter.endsWith("?");
    return parameter === "any" || fits(given.type, baseOf(parameter));
  });
}

function baseOf(parameter: Parameter): Parameter {
  const base = parameter.endsWith("?") ? parameter.slice(0, -1) : parameter;
  // What is left of a parameter without its mark is a type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return base as Parameter;
}

const NUMBERS = new Set<string>(["int", "long", "real", "decimal"]);

/** Numbers go for each other, and a dynamic for everything. */
function converts(type: KqlType, parameter: Parameter): boolean {
  if (type === "dynamic" || parameter === "dynamic" || parameter === "string") return true;
  return NUMBERS.has(type) && NUMBERS.has(parameter);
}

function argument(parameter: Parameter, given: Sql | undefined): string {
  if (parameter === "any") return given === undefined ? "NULL" : jsonOf(given);
  const type = typeOf(parameter);
  if (given === undefined) return `CAST(NULL AS ${nullOf(type).split("::")[1] ?? "VARCHAR"})`;
  return castSql(given, type).text;
}

function typeOf(parameter: Parameter): KqlType {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return baseOf(parameter) as KqlType;
}

function restOf(type: KqlType | "any", args: readonly Sql[]): string {
  if (args.length === 0) return "'[]'";
  return jsonList(args.map((one) => (type === "any" ? one : castSql(one, type))));
}

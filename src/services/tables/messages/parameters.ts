import { parseNamed } from "../protocol/path.ts";
import type { Segment } from "../protocol/path.ts";
import { badArgument, badBody, badQuery, noMethod, shown } from "../protocol/refusals.ts";
import type { Request } from "../protocol/request.ts";
import { requireBody } from "../resources/entity.ts";

/** The parameters of a function or an action, by name. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Those of a function in the URL, directly or as aliases; those of an action in the body. */
export function parametersOf(request: Request, { name, args }: Segment): Parameters {
  if (request.method === "POST") return requireBody(request);
  if (request.method !== "GET") throw noMethod(request.method, name);
  const entries = [...parseNamed(args ?? "")].map(([parameter, literal]) => [
    parameter,
    literal.startsWith("@") ? aliasOf(request, literal) : valueOf(literal),
  ]);
  return Object.fromEntries(entries);
}

function aliasOf({ query }: Request, alias: string): unknown {
  const literal = query.get(alias);
  if (literal === undefined) throw badQuery(`The parameter alias ${alias} has no value.`);
  return valueOf(literal);
}

/** A literal of a URL: JSON, or a text between single quotes. */
function valueOf(literal: string): unknown {
  if (literal.startsWith("'") && literal.endsWith("'") && literal.length > 1) {
    return literal.slice(1, -1).replaceAll("''", "'");
  }
  try {
    return JSON.parse(literal);
  } catch {
    return literal;
  }
}

export function textParameter(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value === "string" && value !== "") return value;
  throw badArgument(`The parameter ${name} is required and is a text, not ${shown(value)}.`);
}

export function integerParameter(parameters: Parameters, name: string): number {
  const value = parameters[name];
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw badBody(`The parameter ${name} is required and is a whole number, not ${shown(value)}.`);
}

import { SYSTEM_TYPES, KQL_TYPES, type KqlType } from "#engines/kql/types.ts";
import { columnJson } from "./columns-text.ts";

/**
 * The parameters of a function, from their text `(x:long = 3, T:(a:string))`, as schemas in JSON
 * hold them.
 */
export function parametersJson(text: string): object[] {
  const inside = text.trim().replace(/^\(([\s\S]*)\)$/, "$1");
  return splitTop(inside, ",").map((one) => parameterJson(one));
}

function parameterJson(text: string): object {
  const [declared = "", defaultValue] = splitTop(text, "=");
  const [name = "", ...rest] = splitTop(declared, ":");
  const type = rest.join(":").trim();
  const named = { Name: unquoted(name.trim()) };
  if (type.startsWith("(")) {
    const columns = splitTop(type.slice(1, -1), ",").filter((column) => column.trim() !== "*");
    return { ...named, Columns: columns.map(columnOf) };
  }
  const scalar = typeOf(type);
  return {
    ...named,
    Type: SYSTEM_TYPES[scalar],
    CslType: scalar,
    ...(defaultValue !== undefined && { CslDefaultValue: defaultValue.trim() }),
  };
}

function columnOf(text: string): object {
  const [name = "", type = "string"] = splitTop(text, ":");
  return columnJson({ name: unquoted(name.trim()), type: typeOf(type.trim()) });
}

const ALIASES: Readonly<Record<string, KqlType>> = {
  boolean: "bool",
  date: "datetime",
  double: "real",
  time: "timespan",
  uuid: "guid",
};

function typeOf(text: string): KqlType {
  const lower = text.toLowerCase();
  return KQL_TYPES.find((type) => type === lower) ?? ALIASES[lower] ?? "dynamic";
}

function unquoted(name: string): string {
  return name.replace(/^\[?["'](.*)["']\]?$/, "$1");
}

/** A run of characters that is passed over, or one that may separate. */
const TOKENS = /"[^"]*"?|'[^']*'?|[^"'(),:=[\]{}]+|[\s\S]/g;

/** Splits at a separator outside of brackets and quotes; nothing gives no parts. */
function splitTop(text: string, separator: string): string[] {
  if (text.trim() === "") return [];
  const parts = [""];
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if ("([{".includes(token)) depth += 1;
    if (")]}".includes(token)) depth -= 1;
    if (token === separator && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + token);
  }
  return parts;
}

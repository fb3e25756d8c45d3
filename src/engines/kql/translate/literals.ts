import { KqlError } from "../kql-error.ts";
import {
  elements,
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  textOf,
  type SyntaxNode,
} from "../language/syntax.ts";
import { literal, type Literal } from "../plan/scalar.ts";
import { parseJson } from "../runtime/parsing/json-text.ts";
import { parseDatetime } from "../runtime/time/parse-datetime.ts";
import { parseTimespan } from "../runtime/time/parse-timespan.ts";
import { formatDatetimeTicks, formatTimespanTicks } from "../runtime/time/format-time.ts";
import type { Json, KqlType, KqlValue } from "../types.ts";

const LITERAL_TYPES: Readonly<Record<string, KqlType>> = {
  BooleanLiteralExpression: "bool",
  IntLiteralExpression: "int",
  LongLiteralExpression: "long",
  RealLiteralExpression: "real",
  DecimalLiteralExpression: "decimal",
  DateTimeLiteralExpression: "datetime",
  TimespanLiteralExpression: "timespan",
  GuidLiteralExpression: "guid",
  StringLiteralExpression: "string",
};

/** The literal that a node is; read from its text, because the parser's values lose digits. */
export function literalOf(node: SyntaxNode): Literal | undefined {
  const kind = kindOf(node);
  const type = LITERAL_TYPES[kind];
  if (type !== undefined) {
    const token = part(node, "Token");
    return literal(type, parseLiteral(type, token.ValueText ?? textOf(token), token));
  }
  switch (kind) {
    case "CompoundStringLiteralExpression":
      return literal(
        "string",
        parts(node, "Tokens")
          .map((token) => token.ValueText ?? "")
          .join(""),
      );
    case "DynamicExpression":
      return literal("dynamic", dynamicValue(part(node, "Expression")));
    case "NullLiteralExpression":
      return literal("dynamic", null);
    default:
      return undefined;
  }
}

/** Reads text as a literal of a type, as written without its type's name. */
export function parseLiteral(type: KqlType, text: string, node?: SyntaxNode): KqlValue {
  if (type === "string") return text;
  const inner = unwrap(text);
  if (inner.toLowerCase() === "null") return null;
  const value = parsers[type](inner);
  if (value === undefined) {
    const position = node === undefined ? undefined : positionOf(node);
    throw new KqlError("syntax", `"${text}" is not a ${type}.`, { position });
  }
  return value;
}

// `datetime(…)`, `long(…)`: what is between the parentheses.
function unwrap(text: string): string {
  const found = /^[a-z]+\s*\((?<inner>[\s\S]*)\)$/i.exec(text.trim());
  return unquoted((found?.groups?.["inner"] ?? text).trim());
}

function unquoted(text: string): string {
  return /^(?:"[^"]*"|'[^']*')$/.test(text) ? text.slice(1, -1) : text;
}

type Parser = (text: string) => KqlValue | undefined;

const parsers: Readonly<Record<Exclude<KqlType, "string">, Parser>> = {
  bool: (text) => {
    const lower = text.toLowerCase();
    if (lower === "true" || lower === "1") return true;
    return lower === "false" || lower === "0" ? false : undefined;
  },
  int: (text) => {
    const value = whole(text);
    return value === undefined ? undefined : Number(BigInt.asIntN(32, value));
  },
  long: whole,
  real: (text) => {
    const named = { nan: NaN, "+inf": Infinity, inf: Infinity, "-inf": -Infinity };
    const special = new Map(Object.entries(named)).get(text.toLowerCase());
    if (special !== undefined) return special;
    const value = Number(text);
    return text === "" || Number.isNaN(value) ? undefined : value;
  },
  decimal: (text) => (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? text : undefined),
  datetime: (text) => parseDatetime(text.replaceAll(/,\s*/g, "-")) ?? undefined,
  timespan: (text) => parseTimespan(text) ?? undefined,
  guid: (text) =>
    /^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i.test(text)
      ? hyphenated(text.replaceAll(/[{}-]/g, "").toLowerCase())
      : undefined,
  dynamic: (text) => parseJson(text),
};

function hyphenated(hex: string): string {
  return [0, 8, 12, 16, 20].map((from, index, all) => hex.slice(from, all[index + 1])).join("-");
}

function whole(text: string): bigint | undefined {
  const found = /^(?<sign>[-+]?)(?<digits>0x[0-9a-f]+|\d+)$/i.exec(text);
  if (found === null) return undefined;
  const value = BigInt(found.groups?.["digits"] ?? "0");
  return BigInt.asIntN(64, found.groups?.["sign"] === "-" ? -value : value);
}

/** The value of a `dynamic(…)` literal, which is JSON with typed literals in it. */
function dynamicValue(node: SyntaxNode): Json {
  switch (kindOf(node)) {
    case "JsonObjectExpression":
      return Object.fromEntries(
        parts(node, "Pairs").map((pair) => [
          keyOf(part(pair, "Name")),
          dynamicValue(part(pair, "Value")),
        ]),
      );
    case "JsonArrayExpression":
      return parts(node, "Values").map(dynamicValue);
    case "UnaryMinusExpression": {
      const value = dynamicValue(part(node, "Expression"));
      if (typeof value === "bigint") return BigInt.asIntN(64, -value);
      return typeof value === "number" ? -value : null;
    }
    default: {
      const found = literalOf(node);
      if (found === undefined) {
        throw new KqlError("syntax", `dynamic() cannot hold ${textOf(node)}.`, {
          position: positionOf(node),
        });
      }
      return jsonValue(found);
    }
  }
}

function keyOf(node: SyntaxNode): string {
  return (
    node.ValueText ??
    elements(node)[0]?.ValueText ??
    maybe(node, "Token")?.ValueText ??
    nameOf(node)
  );
}

function jsonValue({ type, value }: Literal): Json {
  if (typeof value !== "bigint") return value;
  if (type === "datetime") return formatDatetimeTicks(value);
  if (type === "timespan") return formatTimespanTicks(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

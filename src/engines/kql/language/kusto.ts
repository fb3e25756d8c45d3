/// <reference types="@kusto/language-service-next" />
import { createRequire } from "node:module";

// The parser is a script that defines globals, and its parts must be loaded in this order.
const require = createRequire(import.meta.url);
// oxlint-disable-next-line import/no-unassigned-import
require("@kusto/language-service-next/bridge.min.js");
// oxlint-disable-next-line import/no-unassigned-import
require("@kusto/language-service-next/Kusto.Language.Bridge.min.js");

export const { KustoCode, GlobalState, Symbols, Syntax } = Kusto.Language;

/** The name of a value of one of the parser's enumerations, which are plain numbers. */
export function enumName(type: unknown, value: number): string {
  // The parser's types leave this global out.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { Enum } = System as unknown as {
    Enum: { toString: (type: unknown, of: number) => string };
  };
  return Enum.toString(type, value);
}

/** The class of an object of the parser, without its namespace: `ColumnSymbol`. */
export function className(value: unknown): string {
  const full: string = Bridge.getTypeName(value);
  return full.slice(full.lastIndexOf(".") + 1);
}

const AGGREGATES: ReadonlySet<unknown> = new Set(allAggregates());

/** Whether the symbol is an aggregate; some names are those of a scalar function as well. */
export function isAggregateSymbol(symbol: unknown): boolean {
  return AGGREGATES.has(symbol);
}

function allAggregates(): Iterable<unknown> {
  const { All } = Kusto.Language.Aggregates;
  // Its type says a .NET list; it is an array.
  return Array.isArray(All) ? All : [];
}

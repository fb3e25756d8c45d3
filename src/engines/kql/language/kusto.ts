/// <reference types="@kusto/language-service-next" />
import { createRequire } from "node:module";

type Language = typeof Kusto.Language;

let language: Language | undefined;

/**
 * The parser. It takes half a second and 60 MB to load, so that it is loaded by its first use and
 * not by a start that may never ask a query.
 */
export function kusto(): Language {
  language ??= load();
  return language;
}

// The parser is a script that defines globals, and its parts must be loaded in this order.
function load(): Language {
  const require = createRequire(import.meta.url);
  // oxlint-disable-next-line import/no-unassigned-import
  require("@kusto/language-service-next/bridge.min.js");
  // oxlint-disable-next-line import/no-unassigned-import
  require("@kusto/language-service-next/Kusto.Language.Bridge.min.js");
  return Kusto.Language;
}

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

let aggregates: ReadonlySet<unknown> | undefined;

/** Whether the symbol is an aggregate; some names are those of a scalar function as well. */
export function isAggregateSymbol(symbol: unknown): boolean {
  aggregates ??= new Set(allAggregates());
  return aggregates.has(symbol);
}

function allAggregates(): Iterable<unknown> {
  const { All } = kusto().Aggregates;
  // Its type says a .NET list; it is an array.
  return Array.isArray(All) ? All : [];
}

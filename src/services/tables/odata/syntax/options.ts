import type { ExpandItem, OrderItem, QueryOptions } from "./ast.ts";
import { parseApply } from "./apply.ts";
import { Cursor } from "./cursor.ts";
import { parseCondition, parseFilter, parseValue } from "./expressions.ts";
import { parseSearch } from "./search.ts";

const NAME = /[A-Za-z_$][\w.]*/y;
const SELECTED = /\*|[A-Za-z_][\w.]*(?:\/[A-Za-z_][\w.]*)*/y;
const NUMBER = /\d+(?!\w)/y;
const TOP_MAX = 2 ** 31 - 1;

/** The options of a query as they arrive, each once and decoded. */
export function parseOptions(query: ReadonlyMap<string, string>): QueryOptions {
  const read = <Result>(name: string, parse: (text: string) => Result): Result | undefined => {
    const text = query.get(name);
    return text === undefined || text.trim() === "" ? undefined : parse(text);
  };
  return {
    select: read("$select", (text) => whole("$select", text, parseSelect)),
    expand: read("$expand", (text) => whole("$expand", text, parseExpand)) ?? [],
    filter: read("$filter", parseFilter),
    orderby: read("$orderby", (text) => whole("$orderby", text, parseOrder)) ?? [],
    top: read("$top", (text) => whole("$top", text, parseTop)),
    count: read("$count", (text) => whole("$count", text, parseCount)) ?? false,
    search: read("$search", parseSearch),
    apply: read("$apply", parseApply) ?? [],
  };
}

function whole<Result>(name: string, text: string, parse: (cursor: Cursor) => Result): Result {
  const cursor = new Cursor(name, text);
  const result = parse(cursor);
  cursor.needEnd();
  return result;
}

function parseSelect(cursor: Cursor): readonly string[] | undefined {
  const names: string[] = [];
  do {
    cursor.skipBlanks();
    names.push(cursor.match(SELECTED) ?? cursor.fail("Expected the name of a property"));
  } while (cursor.take(","));
  return names.includes("*") ? undefined : names;
}

function parseOrder(cursor: Cursor): readonly OrderItem[] {
  const items: OrderItem[] = [];
  do {
    cursor.countCondition();
    const value = parseValue(cursor);
    const descending = cursor.takeWord("desc");
    if (!descending) cursor.takeWord("asc");
    items.push({ value, descending });
  } while (cursor.take(","));
  return items;
}

function parseTop(cursor: Cursor): number {
  cursor.skipBlanks();
  const top = Number(cursor.match(NUMBER) ?? cursor.fail("Expected a whole number"));
  if (top > TOP_MAX) cursor.fail(`The number is greater than ${TOP_MAX}`, 0);
  return top;
}

function parseCount(cursor: Cursor): boolean {
  if (cursor.takeWord("true")) return true;
  return cursor.takeWord("false") ? false : cursor.fail("Expected true or false");
}

function parseExpand(cursor: Cursor): readonly ExpandItem[] {
  const items: ExpandItem[] = [];
  do items.push(parseExpandItem(cursor));
  while (cursor.take(","));
  return items;
}

function parseExpandItem(cursor: Cursor): ExpandItem {
  cursor.countCondition();
  cursor.skipBlanks();
  const { at } = cursor;
  const path: string[] = [];
  do path.push(cursor.match(NAME) ?? cursor.fail("Expected the name of a navigation property"));
  while (cursor.takeNext("/"));
  const isReference = path.at(-1) === "$ref";
  if (isReference) path.pop();
  const written = new Map<string, string>();
  const options = cursor.take("(") ? parseNestedOptions(cursor, written) : NO_OPTIONS;
  return { path, isReference, options, written, at };
}

const NO_OPTIONS: QueryOptions = {
  select: undefined,
  expand: [],
  filter: undefined,
  orderby: [],
  top: undefined,
  count: false,
  search: undefined,
  apply: [],
};

/** Options between parentheses have semicolons between them and are parsed where they stand. */
function parseNestedOptions(cursor: Cursor, written: Map<string, string>): QueryOptions {
  const options = { ...NO_OPTIONS };
  cursor.nested(() => {
    do {
      cursor.skipBlanks();
      const { at } = cursor;
      const name = cursor.match(NAME);
      if (name === undefined) cursor.fail("Expected a query option");
      if (written.has(name)) cursor.fail(`The query option ${name} is given twice`, at);
      cursor.need("=");
      const start = cursor.at;
      Object.assign(options, parseNestedOption(cursor, name, at));
      written.set(name, cursor.text.slice(start, cursor.at));
    } while (cursor.take(";"));
    cursor.need(")");
  });
  return options;
}

function parseNestedOption(cursor: Cursor, name: string, at: number): Partial<QueryOptions> {
  switch (name) {
    case "$select":
      return { select: parseSelect(cursor) };
    case "$expand":
      return { expand: parseExpand(cursor) };
    case "$filter":
      return { filter: parseCondition(cursor) };
    case "$orderby":
      return { orderby: parseOrder(cursor) };
    case "$top":
      return { top: parseTop(cursor) };
    case "$count":
      return { count: parseCount(cursor) };
    default:
      return cursor.fail(`The query option ${name} is not supported here`, at);
  }
}

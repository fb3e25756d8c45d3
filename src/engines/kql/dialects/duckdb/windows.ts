import type { KqlType } from "../../types.ts";
import { castSql } from "./functions/conversions.ts";
import { nullOf, wrapLong, type Sql } from "./sql.ts";

/** SQL of a window function; `over` is the whole OVER clause. */
export function windowSql(
  name: string,
  args: readonly Sql[],
  type: KqlType,
  over: string,
): string | undefined {
  return Object.hasOwn(WINDOWS, name) ? WINDOWS[name]?.(args, type, over) : undefined;
}

type WindowWriter = (args: readonly Sql[], type: KqlType, over: string) => string;

const WINDOWS: Readonly<Record<string, WindowWriter>> = {
  row_number: ([start], _type, over) => `(row_number() ${over} - 1 + ${start?.text ?? "1"})`,
  prev: (args, type, over) => neighbour("lag", args, type, over),
  next: (args, type, over) => neighbour("lead", args, type, over),
  row_cumsum: ([value], type, over) => cumulated(value, type, over),
  row_cummax: ([value], _type, over) => `max(${value?.text ?? ""}) ${over}`,
};

function neighbour(name: string, args: readonly Sql[], type: KqlType, over: string): string {
  const [value, offset, other] = args;
  const by = offset === undefined ? "1" : `CAST(${offset.text} AS INTEGER)`;
  const missing = other === undefined ? nullOf(type) : castSql(other, type).text;
  return `${name}(${value?.text ?? ""}, ${by}, ${missing}) ${over}`;
}

function cumulated(value: Sql | undefined, type: KqlType, over: string): string {
  const total = `sum(${value?.text ?? ""}) ${over}`;
  return type === "real" || type === "decimal" ? total : wrapLong(`coalesce(${total}, 0::HUGEINT)`);
}

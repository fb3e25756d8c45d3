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
  switch (name) {
    case "row_number":
      return `(row_number() ${over} - 1 + ${args[0]?.text ?? "1"})`;
    case "prev":
    case "next":
      return neighbour(name === "prev" ? "lag" : "lead", args, type, over);
    case "row_cumsum":
      return cumulated(args[0], type, over);
    case "row_cummax":
      return `max(${args[0]?.text ?? ""}) ${over}`;
    default:
      return undefined;
  }
}

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

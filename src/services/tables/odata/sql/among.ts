import { sql, type Dialect, type Sql } from "../../storage/sql.ts";

/** A column that holds one of some ids: one value, so that the text of the query stays the same. */
export function among(column: string, ids: readonly string[], dialect: Dialect): Sql {
  const list =
    dialect === "sqlite"
      ? "select value from json_each(?)"
      : "select jsonb_array_elements_text(cast(? as jsonb))";
  return sql(`${column} in (${list})`, [JSON.stringify(ids)]);
}

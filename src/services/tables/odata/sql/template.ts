import { sql, type Cell, type Sql } from "../../storage/sql.ts";

/** A text of SQL in which `$1`, `$2` … stand for pieces. */
export function filled(text: string, pieces: readonly Sql[]): Sql {
  const values: Cell[] = [];
  const whole = text.replaceAll(/\$(\d)/g, (_, digit: string) => {
    const piece = pieces[Number(digit) - 1] ?? sql("null");
    values.push(...piece.values);
    return piece.text;
  });
  return sql(whole, values);
}

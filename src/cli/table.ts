const GAP = "  ";

/** Rows as aligned columns, with a heading when one is given. Lines end without blanks. */
export function formatTable(
  rows: readonly (readonly string[])[],
  heading: readonly string[] = [],
): string {
  const all = heading.length === 0 ? rows : [heading.map((cell) => cell.toUpperCase()), ...rows];
  const widths: number[] = [];
  for (const row of all) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return all.map((row) => formatRow(row, widths)).join("\n");
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(GAP)
    .trimEnd();
}

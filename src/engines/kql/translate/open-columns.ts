import type { KqlColumn, KqlValue } from "../types.ts";
import type { Table } from "./translation.ts";

/**
 * Columns of a plugin follow from the data alone. Thrown by the translation; the query is
 * translated again when its text names the columns that `discovery` finds.
 */
export class OpenColumns extends Error {
  override readonly name = "OpenColumns";
  readonly discovery: Table;
  /** Where in the text the columns have to be named. */
  readonly position: number;
  readonly columnsFrom: (rows: readonly (readonly KqlValue[])[]) => readonly KqlColumn[];

  constructor(options: Pick<OpenColumns, "discovery" | "position" | "columnsFrom">) {
    super("The columns of this query follow from its data.");
    this.discovery = options.discovery;
    this.position = options.position;
    this.columnsFrom = options.columnsFrom;
  }
}

/** The text with the columns named behind the plugin's call. */
export function withColumns(text: string, position: number, columns: readonly KqlColumn[]): string {
  const list = columns.map(({ name, type }) => `[${quoted(name)}]:${type}`);
  return `${text.slice(0, position)} : (${list.join(", ")})${text.slice(position)}`;
}

function quoted(name: string): string {
  const escaped = name.replaceAll("\\", String.raw`\\`).replaceAll('"', String.raw`\"`);
  return `"${escaped.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`)}"`;
}

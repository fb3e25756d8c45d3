import { badQuery } from "../protocol/refusals.ts";
import type { Cell } from "../storage/sql.ts";
import type { ValueType } from "./sql/value.ts";

/** Where a page ends: the number of the next page, and what orders its last row. */
export interface PageToken {
  readonly page: number;
  readonly cells: readonly Cell[];
}

/** Opaque to clients. It holds nothing that its bearer has not seen, so it is not signed. */
export function writeToken({ page, cells }: PageToken): string {
  const cookie = Buffer.from(JSON.stringify(cells)).toString("base64url");
  return `<cookie pagenumber="${page}" pagingcookie="${cookie}" istracking="False" />`;
}

const TOKEN = /^<cookie pagenumber="(\d{1,9})" pagingcookie="([\w-]+)" istracking="False" \/>$/;

/** Refuses what this service has not written for an order of these types. */
export function readToken(text: string, types: readonly ValueType[]): PageToken {
  const [, page, cookie = ""] = TOKEN.exec(text.trim()) ?? [];
  const content = parsed(Buffer.from(cookie, "base64url").toString());
  const isList = Array.isArray(content) && content.length === types.length;
  if (page === undefined || !isList) throw foreign();
  const cells: readonly unknown[] = content;
  return { page: Number(page), cells: cells.map((cell, at) => cellOf(cell, types[at])) };
}

function cellOf(cell: unknown, type: ValueType | undefined): Cell {
  if (cell === null) return null;
  const isNumeric = type === "number" || type === "boolean";
  if (!isNumeric && typeof cell === "string" && !cell.includes("\0")) return cell;
  const isNumber = isNumeric && typeof cell === "number";
  if (isNumber && (!Number.isInteger(cell) || Number.isSafeInteger(cell))) return cell;
  throw foreign();
}

function foreign() {
  return badQuery("The $skiptoken is not one that an @odata.nextLink of this query had.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

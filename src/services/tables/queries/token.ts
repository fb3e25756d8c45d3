import { badQuery } from "../protocol/refusals.ts";
import type { Cell } from "../storage/sql.ts";

/** Where a page ends: the number of the next page, and the cells that order its last row. */
export interface PageToken {
  readonly page: number;
  readonly cells: readonly Cell[];
}

/** Opaque to clients. It holds nothing that its bearer has not seen, so it is not signed. */
export function writeToken({ page, cells }: PageToken): string {
  return Buffer.from(JSON.stringify([page, ...cells])).toString("base64url");
}

/** Refuses what this service has not written; `count` is the number of cells expected. */
export function readToken(text: string, count: number): PageToken {
  const content = parsed(Buffer.from(text, "base64url").toString());
  const isList = Array.isArray(content) && content.length === count + 1;
  const [page, ...cells]: readonly unknown[] = isList ? content : [];
  if (typeof page !== "number" || !cells.every(isCell)) {
    throw badQuery("The $skiptoken is not one that an @odata.nextLink of this query had.");
  }
  return { page, cells };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCell(value: unknown): value is Cell {
  return value === null || typeof value === "string" || Number.isFinite(value);
}

import { Problem } from "#platform/problem.ts";

/** Bytes of an id, before they were written as base64. */
const ID_BYTES_MAX = 64;

/** Refuses, with 400, an id that is no base64 of 1 to 64 bytes. */
export function requireBlockId(id: string): string {
  const bytes = Buffer.from(id, "base64");
  const isBase64 = bytes.toString("base64") === id;
  if (isBase64 && bytes.length > 0 && bytes.length <= ID_BYTES_MAX) return id;
  const said = `The block id "${id}" is not the base64 of 1 to ${ID_BYTES_MAX} bytes.`;
  throw new Problem(400, "InvalidBlockId", said);
}

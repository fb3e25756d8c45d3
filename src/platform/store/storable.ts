export type Storable = null | string | number | bigint | Uint8Array;

/**
 * Refuses what the engines would store as something else than was meant. node:sqlite makes NULL
 * of undefined and NaN, 1 of true, and takes a Date in first place for a set of named values,
 * which shifts all others by one column; Postgres takes dates, arrays and objects, SQLite none.
 * The same values are accepted everywhere, so that a service can move between the engines.
 *
 * @throws {TypeError} when the value has no form that reads back as it was written
 */
export function storable(value: unknown): Storable {
  if (value === null || typeof value === "string" || value instanceof Uint8Array) return value;
  if (typeof value === "number" && readsBack(value)) return value;
  if (typeof value === "bigint" && readsBack(Number(value))) return value;
  throw new TypeError(`${described(value)} cannot be stored; ${instead(value)}.`);
}

/** Fractions of any size, and whole numbers that differ from their neighbours as numbers. */
function readsBack(value: number): boolean {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));
}

function described(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return `A value of type ${typeof value}`;
  return `An object of class ${value.constructor?.name ?? "null"}`;
}

function instead(value: unknown): string {
  if (value instanceof Date) return "store its ISO text";
  if (typeof value === "boolean") return "store 0 or 1";
  if (value === undefined) return "store null, or leave the column out";
  if (typeof value === "object") return "store its JSON text";
  return `numbers are finite, and whole ones at most ${Number.MAX_SAFE_INTEGER} in size`;
}

/** A cell as it stands in an answer of version 2. */
export type Cell = string | number | boolean | null | object;

export interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Expected {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isOrdered: boolean;
  /** Relative difference that reals may have. */
  readonly tolerance: number;
}

/** What differs, in one line; undefined when nothing does. */
export function difference(actual: Table, expected: Expected): string | undefined {
  const names = actual.columns.map(({ name }) => name.toLowerCase());
  const wanted = expected.columns.map((name) => name.toLowerCase());
  if (names.join("|") !== wanted.join("|")) {
    return `columns ${names.join(", ")}; expected ${wanted.join(", ")}`;
  }
  if (actual.rows.length !== expected.rows.length) {
    return `${actual.rows.length} rows; expected ${expected.rows.length}`;
  }
  const types = actual.columns.map(({ type }) => type);
  const equal = (row: readonly Cell[], other: readonly string[]) =>
    other.every((text, index) => {
      return cellsEqual(row[index] ?? null, text, types[index] ?? "string", expected.tolerance);
    });
  if (expected.isOrdered) {
    const at = actual.rows.findIndex((row, index) => !equal(row, expected.rows[index] ?? []));
    return at === -1 ? undefined : rowDifference(actual.rows[at], expected.rows[at]);
  }
  const left = [...expected.rows];
  for (const row of actual.rows) {
    const at = left.findIndex((other) => equal(row, other));
    if (at === -1) return rowDifference(row, left[0]);
    left.splice(at, 1);
  }
  return undefined;
}

function rowDifference(
  row: readonly Cell[] | undefined,
  other: readonly string[] | undefined,
): string {
  const shown = (one: unknown) => JSON.stringify(one).slice(0, 300);
  return `row ${shown(row)}; expected ${shown(other)}`;
}

/** Whether a cell is what the text means, by the column's type. */
function cellsEqual(cell: Cell, text: string, type: string, tolerance: number): boolean {
  const plain = text.trim();
  if (cell === null || cell === "") return plain === "" || plain.toLowerCase() === "null";
  if (type === "dynamic") return jsonEqual(parsed(cell), parsed(plain), tolerance);
  const given = plainText(cell);
  const equal = EQUAL[type];
  if (equal !== undefined) return equal(given, plain, tolerance);
  return given === text || given.trim() === plain;
}

function plainText(cell: Cell): string {
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

function digitsEqual(a: string, b: string, tolerance: number): boolean {
  return a === b || numbersEqual(Number(a), Number(b.replaceAll(",", "")), tolerance);
}

const EQUAL: Readonly<Record<string, (a: string, b: string, tolerance: number) => boolean>> = {
  int: digitsEqual,
  long: digitsEqual,
  real: digitsEqual,
  decimal: digitsEqual,
  bool: (a, b) => a.toLowerCase() === booleanText(b),
  datetime: (a, b) => timeText(a) === timeText(b),
  timespan: (a, b) => spanText(a) === spanText(b),
};

function booleanText(text: string): string {
  const lower = text.toLowerCase();
  if (lower === "1") return "true";
  return lower === "0" ? "false" : lower;
}

function numbersEqual(a: number, b: number, tolerance: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (a === b) return true;
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** With or without `T` and `Z`, with up to seven digits. */
function timeText(text: string): string {
  const found =
    /^(?<date>\d{4}-\d{2}-\d{2})[T ]?(?<time>\d{2}:\d{2}:\d{2})?(?:\.(?<digits>\d+))?/.exec(text);
  if (found === null) return text;
  const { date = "", time = "00:00:00", digits = "" } = found.groups ?? {};
  return `${date} ${time}.${digits.padEnd(7, "0").slice(0, 7)}`;
}

function spanText(text: string): string {
  const [clock = "", digits = ""] = text.split(/\.(?=\d+$)(?<=:.*\.)/);
  return `${clock}.${digits.padEnd(7, "0")}`;
}

function parsed(cell: Cell): unknown {
  if (typeof cell !== "string") return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function jsonEqual(a: unknown, b: unknown, tolerance: number): boolean {
  if (typeof a === "number" && typeof b === "number") return numbersEqual(a, b, tolerance);
  if (typeof a === "string" && typeof b === "string") return a === b || timeText(a) === timeText(b);
  if (!isObject(a) || !isObject(b)) return a === b;
  return Array.isArray(a) === Array.isArray(b) && membersEqual(a, b, tolerance);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function membersEqual(a: object, b: object, tolerance: number): boolean {
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  if (left.length !== right.size) return false;
  return left.every(
    ([key, value]) => right.has(key) && jsonEqual(value, right.get(key), tolerance),
  );
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { difference, type Cell, type Table } from "./compare.ts";

/** One query with what it should give. */
export interface Case {
  readonly id: string;
  readonly group: string;
  readonly query: string;
  /** What differs, or undefined. `undefined` instead of a table: the query was refused. */
  readonly check: (table: Table | undefined) => string | undefined;
}

interface DocsLine {
  id: string;
  query: string;
  columns: string[];
  rows: string[][];
  ordered: boolean;
  approx: boolean;
  group: string;
}

interface OracleLine {
  id: string;
  query: string;
  columns: string[];
  row_count: number;
  sample_rows: string[];
  kusto_error: string | null;
}

interface LocoLine {
  id: string;
  query: string;
  kind: string;
  expected: string | { header: string; rows: string[] };
}

/** The cases of a folder: `docs.jsonl`, `oracle.jsonl` and `loco.jsonl`. */
export async function readCases(folder: string): Promise<Case[]> {
  const docs = await readLines<DocsLine>(join(folder, "docs.jsonl"));
  const oracle = await readLines<OracleLine>(join(folder, "oracle.jsonl"));
  const loco = await readLines<LocoLine>(join(folder, "loco.jsonl"));
  return [...docs.map(docsCase), ...oracle.map(oracleCase), ...loco.map(locoCase)];
}

async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, "utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line): T => JSON.parse(line));
}

const LOOSE_GROUPS = new Set(["geo", "series"]);

function docsCase({ id, query, columns, rows, ordered, approx, group }: DocsLine): Case {
  const tolerance = approx || LOOSE_GROUPS.has(group) ? 1e-6 : 1e-9;
  return {
    id,
    group: `docs ${group}`,
    query,
    check: (table) =>
      table === undefined
        ? "refused"
        : difference(table, { columns, rows, isOrdered: ordered, tolerance }),
  };
}

function oracleCase({ id, query, columns, row_count, sample_rows, kusto_error }: OracleLine): Case {
  return {
    id,
    group: "oracle",
    query,
    check(table) {
      if (kusto_error !== null) return table === undefined ? undefined : "expected to be refused";
      if (table === undefined) return "refused";
      if (table.rows.length !== row_count) {
        return `${table.rows.length} rows; expected ${row_count}`;
      }
      const names = columns.map((column) => column.slice(0, column.lastIndexOf(":")));
      const rows = sample_rows.map(parseTuple);
      const sample = row_count === rows.length ? table : { ...table, rows: within(table, rows) };
      return difference(sample, { columns: names, rows, isOrdered: false, tolerance: 1e-9 });
    },
  };
}

/** Of a longer table, the rows that the sample can stand for. */
function within(table: Table, sample: readonly string[][]): readonly (readonly Cell[])[] {
  const types = table.columns.map(({ type }) => type);
  const columns = table.columns.map(({ name }) => name);
  const left = [...table.rows];
  return sample.flatMap((row) => {
    const at = left.findIndex((one) => {
      const single = {
        columns: columns.map((name, index) => ({ name, type: types[index] ?? "" })),
      };
      const expected = { columns, rows: [row], isOrdered: true, tolerance: 1e-9 };
      return difference({ ...single, rows: [one] }, expected) === undefined;
    });
    return at === -1 ? [] : left.splice(at, 1);
  });
}

const QUOTED = /^\s*(?<sign>['"])(?<text>[\s\S]*)\k<sign>\s*$/;

/** `('a', 1, null, "x")` as texts. */
function parseTuple(text: string): string[] {
  const inner = text.trim().replace(/^\(/, "").replace(/\)$/, "");
  const cells: string[] = [];
  let current: string | undefined;
  for (const piece of inner.split(",")) {
    current = current === undefined ? piece : `${current},${piece}`;
    if (!isWhole(current)) continue;
    cells.push(cellText(current));
    current = undefined;
  }
  return current === undefined ? cells : [...cells, cellText(current)];
}

/** Whether a piece between commas is a whole cell: its quotes and brackets are closed. */
function isWhole(piece: string): boolean {
  if (/^\s*['"]/.test(piece)) return QUOTED.test(piece) && piece.trim().length > 1;
  const count = (signs: RegExp) => piece.match(signs)?.length ?? 0;
  return count(/[[{(]/g) <= count(/[\]})]/g);
}

function cellText(piece: string): string {
  const found = QUOTED.exec(piece)?.groups?.["text"];
  const plain = piece.trim();
  return found ?? (plain === "None" || plain === "null" ? "" : plain);
}

function locoCase({ id, query, kind, expected }: LocoLine): Case {
  return {
    id,
    group: typeof expected === "string" ? "loco lines" : "loco tables",
    query,
    check(table) {
      if (table === undefined) return "refused";
      if (typeof expected === "string") return checkLines(table, kind, expected);
      return checkTable(table, expected);
    },
  };
}

function checkTable(
  table: Table,
  { header, rows }: { header: string; rows: string[] },
): string | undefined {
  const columns = header.split(";").map((one) => one.trim().split(":")[0] ?? "");
  const cells = rows.map((row) => {
    const all = row.split(";").map((cell) => cell.trim().replace(/^\(null\)$/, ""));
    return all.slice(0, columns.length);
  });
  return difference(table, { columns, rows: cells, isOrdered: false, tolerance: 1e-9 });
}

/** Cases that compare the text of the last row, in that project's own spelling of values. */
function checkLines(table: Table, kind: string, expected: string): string | undefined {
  const lines = table.rows.map((row) => row.map(lineCell).join(","));
  const squash = (text: string) => text.replaceAll(/\s/g, "");
  const wanted = expected.trim();
  const last = lines.at(-1) ?? "";
  const [subject, test = ""] = kind.split(".");
  const text = subject?.startsWith("ResultAs") === true ? lines.join("\n") : last;
  const [a, b] = [normal(squash(text)), normal(squash(wanted))];
  const holds = test === "Be" ? a === b : test === "StartWith" ? a.startsWith(b) : a.includes(b);
  return holds ? undefined : `line ${text.slice(0, 300)}; expected ${wanted.slice(0, 300)}`;
}

function lineCell(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

// Booleans and times are spelled in several ways there.
function normal(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("<null>", "")
    .replaceAll(/(?<date>\d{4}-\d{2}-\d{2})t?(?<time>\d{2}:\d{2}:\d{2})/g, "$<date>$<time>")
    .replaceAll(/(?<time>\d{2}:\d{2}:\d{2})\.0000000/g, "$<time>")
    .replaceAll(/(?<time>\d{2}:\d{2}:\d{2})z/g, "$<time>");
}

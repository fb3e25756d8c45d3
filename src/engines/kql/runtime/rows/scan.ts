import type { KqlValue } from "../../types.ts";
import type { Evaluate } from "../evaluate/evaluate.ts";

type Row = readonly KqlValue[];

export interface ScanStep {
  readonly output: "all" | "last" | "none";
  readonly condition: Evaluate;
  /** Values of declared columns; places are those of the row with its declared columns. */
  readonly assignments: readonly { readonly place: number; readonly value: Evaluate }[];
}

export interface ScanShape {
  /** How many columns a row has without the declared ones. */
  readonly columns: number;
  readonly defaults: Row;
  /** What the columns of a step hold before the step has matched. */
  readonly nulls: Row;
}

/** The rows of the steps so far that one running sequence has matched. */
interface Sequence {
  readonly rows: readonly (Row | undefined)[];
  readonly id: bigint;
}

interface Scan {
  readonly steps: readonly ScanStep[];
  readonly shape: ScanShape;
  /** The running sequence of each step. */
  readonly sequences: (Sequence | undefined)[];
  /** What steps with `output=last` show when their sequence ends. */
  readonly last: (Row | undefined)[];
  readonly output: Row[];
  matches: bigint;
}

/**
 * The rows that match steps, as often as they do, each with its declared columns and the number of
 * its sequence. Input rows are the columns, then what was computed before.
 *
 * Expressions find: the row, the declared columns' defaults, the last row of each step, and then
 * what was computed before.
 */
export function createScan(steps: readonly ScanStep[], shape: ScanShape) {
  return (rows: readonly Row[]): Row[] => {
    const sequences = steps.map(() => undefined);
    const last = steps.map(() => undefined);
    const scan: Scan = { steps, shape, sequences, last, output: [], matches: 0n };
    for (const row of rows) {
      for (let index = steps.length - 1; index >= 0; index--) visit(scan, index, row);
    }
    for (const index of steps.keys()) flush(scan, index);
    return scan.output;
  };
}

/** One row at one step: it goes on from the step before, or goes on within the step. */
function visit(scan: Scan, index: number, row: Row): void {
  if (index > 0 && promoted(scan, index, row)) return;
  const begun = scan.sequences[index];
  if (begun === undefined && index > 0) return;
  const made = taken(scan, index, row, begun);
  if (made === undefined) return;
  const { rows, id } = begun ?? { rows: scan.steps.map(() => undefined), id: 0n };
  keep(scan, index, made, { rows, id: index === 0 ? scan.matches++ : id });
}

/** Whether the row continues the sequence of the step before, which then belongs to this step. */
function promoted(scan: Scan, index: number, row: Row): boolean {
  const before = scan.sequences[index - 1];
  const made = before === undefined ? undefined : taken(scan, index, row, before);
  if (before === undefined || made === undefined) return false;
  scan.sequences[index - 1] = undefined;
  flush(scan, index - 1);
  flush(scan, index);
  keep(scan, index, made, before);
  return true;
}

/** The row with its declared columns, if the step takes it in this sequence. */
function taken(
  { steps, shape }: Scan,
  index: number,
  row: Row,
  sequence: Sequence | undefined,
): Row | undefined {
  const step = steps[index];
  if (step === undefined) return undefined;
  const { columns, defaults, nulls } = shape;
  const empty = [...nulls, ...defaults];
  const kept = steps.flatMap((_step, at) => sequence?.rows[at] ?? empty);
  const cells = [...row.slice(0, columns), ...defaults, ...kept, ...row.slice(columns)];
  if (step.condition(cells) !== true) return undefined;
  const made = cells.slice(0, columns + defaults.length);
  for (const { place, value } of step.assignments) made[place] = value(cells);
  return made;
}

function keep(scan: Scan, index: number, made: Row, { rows, id }: Sequence): void {
  scan.sequences[index] = { id, rows: rows.with(index, made) };
  const kind = scan.steps[index]?.output;
  if (kind === "all") scan.output.push([...made, id]);
  if (kind === "last") scan.last[index] = [...made, id];
}

function flush({ last, output }: Scan, index: number): void {
  const row = last[index];
  if (row !== undefined) output.push(row);
  last[index] = undefined;
}

import type { Kql } from "#engines/kql/kql.ts";
import { median } from "../support/statistics.ts";
import { DATABASE, unlimited, type Dataset } from "./dataset.ts";
import { pairs, type Pair } from "./pairs.ts";

/** Wall and processor time of one run, all threads together. */
interface Run {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export interface BesideSql {
  readonly name: string;
  readonly atoll: Run;
  readonly handWritten: Run;
  /** Median of the rounds' ratios. */
  readonly wallRatio: number;
  readonly cpuRatio: number;
}

const TURN_MIN_MS = 200;

/** Each pair in turns, the first one changing; a first round of each is not counted. */
export async function compareWithSql(
  dataset: Dataset,
  rounds: number,
): Promise<readonly BesideSql[]> {
  const results: BesideSql[] = [];
  for (const pair of pairs) {
    console.error(`${pair.name} ...`);
    results.push(await comparePair(dataset, pair, rounds));
  }
  return results;
}

async function comparePair(dataset: Dataset, pair: Pair, rounds: number): Promise<BesideSql> {
  const atoll = () => answerOf(dataset, pair.kql);
  const handWritten = () => textsOf(dataset, pair.sql);
  requireSame(pair, await atoll(), await handWritten());
  const ours: Run[] = [];
  const theirs: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [
      async () => void ours.push(await timed(atoll)),
      async () => void theirs.push(await timed(handWritten)),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return {
    name: pair.name,
    atoll: medianRun(ours),
    handWritten: medianRun(theirs),
    wallRatio: ratioOf(ours, theirs, "wallMs"),
    cpuRatio: ratioOf(ours, theirs, "cpuMs"),
  };
}

async function answerOf({ kql, schema }: Dataset, text: string): Promise<string[]> {
  const rows: string[] = [];
  for await (const statement of kql.execute(compiled(kql, text, schema), unlimited())) {
    for await (const chunk of statement.rows) rows.push(...chunk);
  }
  return rows;
}

function compiled(kql: Kql, text: string, schema: Dataset["schema"]) {
  return kql.compile({ text, database: DATABASE, schema, now: new Date() });
}

async function textsOf({ sql }: Dataset, text: string): Promise<string[]> {
  await using connection = await sql.connect(unlimited());
  return (await Array.fromAsync(connection.texts(text))).flat();
}

function requireSame({ name }: Pair, ours: readonly string[], theirs: readonly string[]): void {
  const [a, b] = [ours.toSorted().join("\n"), theirs.toSorted().join("\n")];
  if (a === b) return;
  throw new Error(`The two answers of "${name}" differ:\n${a.slice(0, 400)}\n\n${b.slice(0, 400)}`);
}

/** Short queries are repeated within a turn; the times are those of one. */
async function timed(work: () => Promise<unknown>): Promise<Run> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let times = 0;
  do {
    await work();
    times += 1;
  } while (performance.now() - startedAt < TURN_MIN_MS);
  const wallMs = (performance.now() - startedAt) / times;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 / times };
}

function medianRun(runs: readonly Run[]): Run {
  const of = (field: keyof Run) => median(runs.map((run) => run[field]));
  return { wallMs: of("wallMs"), cpuMs: of("cpuMs") };
}

function ratioOf(ours: readonly Run[], theirs: readonly Run[], field: keyof Run): number {
  return median(ours.map((run, index) => run[field] / (theirs[index]?.[field] ?? Number.NaN)));
}

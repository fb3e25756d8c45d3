import { median, percentile } from "../support/statistics.ts";
import { DATABASE, schemaOf, type Dataset } from "./dataset.ts";

const TEN_OPERATORS =
  "T | where v > 5 | extend a = tolong(d.a), b = tostring(d.b) | where a in (1, 2, 3) " +
  "| summarize n = count(), s = sum(v) by b, bin(t, 1h) | extend r = s / n | where r > 2 " +
  "| order by r desc | project b, r, t, n | extend z = strcat(b, 'x') | take 10";

const COLD_COMPILES = 50;
const CACHED_COMPILES = 2000;

/** Milliseconds; the processor's time tells more on a machine that others use. */
export interface CompileTimes {
  readonly coldMs: number;
  readonly coldCpuMs: number;
  readonly coldP99Ms: number;
  readonly cachedMs: number;
}

/** A query of ten operators: texts that are all new, on a new schema too, and one that is known. */
export function measureCompile({ kql, schema }: Dataset): CompileTimes {
  const compile = (text: string, on: Dataset["schema"]) =>
    kql.compile({ text, database: DATABASE, schema: on, now: new Date() });
  const cold = Array.from({ length: COLD_COMPILES }, (_, index) =>
    timed(() => compile(`${TEN_OPERATORS} // ${index}`, schemaOf())),
  );
  compile(TEN_OPERATORS, schema);
  const cached = Array.from({ length: CACHED_COMPILES }, () =>
    timed(() => compile(TEN_OPERATORS, schema)),
  );
  const wall = cold.map(({ wallMs }) => wallMs);
  return {
    coldMs: median(wall),
    coldCpuMs: median(cold.map(({ cpuMs }) => cpuMs)),
    coldP99Ms: percentile(wall, 0.99),
    cachedMs: median(cached.map(({ wallMs }) => wallMs)),
  };
}

function timed(work: () => unknown) {
  const cpu = process.threadCpuUsage();
  const startedAt = performance.now();
  work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.threadCpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
}

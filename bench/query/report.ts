import { formatNumber, formatTable } from "../support/table.ts";
import type { BesideSql } from "./beside-sql.ts";
import type { CompileTimes } from "./compile-time.ts";
import type { Load } from "./load.ts";
import type { OverHttp } from "./over-http.ts";

const MEBIBYTE = 2 ** 20;

export function formatBesideSql(results: readonly BesideSql[]): string {
  const rows = results.map(({ name, atoll, handWritten, wallRatio, cpuRatio }) => [
    name,
    formatNumber(atoll.wallMs),
    formatNumber(handWritten.wallMs),
    `${wallRatio.toFixed(2)}x`,
    formatNumber(atoll.cpuMs),
    formatNumber(handWritten.cpuMs),
    `${cpuRatio.toFixed(2)}x`,
  ]);
  const heads = ["", "Atoll ms", "SQL ms", "ratio", "Atoll CPU ms", "SQL CPU ms", "ratio"];
  const title = "Queries beside hand-written SQL (medians; aim: 1.15x at most)";
  return `${title}\n${formatTable([heads, ...rows])}`;
}

export function formatCompile({ coldMs, coldCpuMs, coldP99Ms, cachedMs }: CompileTimes): string {
  return [
    "Compiling a query of ten operators (aims: 15 ms new, 0.2 ms known)",
    `new text     ${formatNumber(coldMs)} ms (CPU ${formatNumber(coldCpuMs)} ms, ` +
      `p99 ${formatNumber(coldP99Ms)} ms)`,
    `known text   ${cachedMs.toFixed(4)} ms`,
  ].join("\n");
}

export function formatOverHttp(http: OverHttp): string {
  const { knownPoints, newPoints, streaming, csv, besideHeavy, resultMemory } = http;
  const heads = ["", "per second", "p50 ms", "p99 ms", "server CPU ms", "others"];
  const table = formatTable([
    heads,
    ["point query, known text (aim 500/s)", ...loadCells(knownPoints)],
    ["point query, new text", ...loadCells(newPoints)],
    ["streaming ingestion of 1,000 rows (aim 100/s)", ...loadCells(streaming)],
    ["point query beside 4 heavy ones (aim p99 50 ms)", ...loadCells(besideHeavy)],
  ]);
  const peaks = resultMemory.peakBytes.map((bytes) => formatNumber(bytes / MEBIBYTE)).join(", ");
  return [
    "Over HTTP",
    table,
    `streaming ingestion: ${formatNumber(streaming.rowsPerSecond)} rows/s (aim 100,000)`,
    `CSV of ${formatNumber(csv.megabytes)} MB, ${formatNumber(csv.rows)} rows: ` +
      `${formatNumber(csv.seconds)} s, ${formatNumber(csv.rowsPerSecond)} rows/s ` +
      `(aim 1,000,000), server CPU ${formatNumber(csv.serverCpuS)} s, ` +
      `peak memory ${formatNumber(csv.peakBytes / MEBIBYTE)} MiB`,
    `500,000 rows, ${formatNumber(resultMemory.resultBytes / MEBIBYTE)} MiB in ` +
      `${formatNumber(resultMemory.seconds)} s: ` +
      `${formatNumber(resultMemory.beforeBytes / MEBIBYTE)} MiB before, peaks ${peaks} MiB`,
  ].join("\n");
}

function loadCells(load: Load): string[] {
  return [
    formatNumber(load.perSecond),
    formatNumber(load.p50Ms),
    formatNumber(load.p99Ms),
    formatNumber(load.serverCpuMsPerRequest),
    `${formatNumber(load.othersShare * 100)} %`,
  ];
}

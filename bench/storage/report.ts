import { median } from "../support/statistics.ts";
import { formatNumber, formatTable } from "../support/table.ts";
import type { Comparison, Series } from "./compare.ts";
import type { Measurement } from "./measure.ts";
import type { ServerKind } from "./server.ts";

const MEGABYTE = 1_000_000;
const MEBIBYTE = 1024 * 1024;
/** From here on a phase is about bytes per second, and below about requests per second. */
const LARGE_BYTES = 1024 * 1024;

/** The comparisons as tables: rates, costs, and what a server takes before it does anything. */
export function formatReport(comparisons: readonly Comparison[]): string {
  const parts = [
    "Rates (medians; ratio: median of the ratios of the rounds)",
    formatTable(rateRows(comparisons)),
    "",
    "Latency and processor time (medians; others: share of one core, worst round kept)",
    formatTable(costRows(comparisons)),
    "",
    "Start and memory (medians and, after the run and at the peak, the largest of all phases)",
    formatTable(memoryRows(comparisons)),
    ...notes(comparisons),
  ];
  return parts.join("\n");
}

function rateRows(comparisons: readonly Comparison[]): string[][] {
  const rows = comparisons.map((comparison) => {
    const ours = seriesOf(comparison, "Atoll");
    const theirs = seriesOf(comparison, "Azurite");
    return [
      comparison.phase.name,
      rate(comparison, ours),
      rate(comparison, theirs),
      ratio(ours, theirs),
    ];
  });
  return [["", "Atoll", "Azurite", "ratio"], ...rows];
}

function costRows(comparisons: readonly Comparison[]): string[][] {
  const rows = comparisons.flatMap(({ phase, series }) =>
    series.flatMap(({ server, rounds }) => {
      if (rounds === "501") return [];
      return [
        [
          `${phase.name}, ${server}`,
          formatNumber(medianOf(rounds, "p50Ms")),
          formatNumber(medianOf(rounds, "p99Ms")),
          formatNumber(medianOf(rounds, "serverCpuMsPerRequest")),
          percent(Math.max(...rounds.map(({ othersShare }) => othersShare))),
        ],
      ];
    }),
  );
  return [["", "p50 ms", "p99 ms", "server CPU ms", "others"], ...rows];
}

function memoryRows(comparisons: readonly Comparison[]): string[][] {
  const rows = (["Atoll", "Azurite"] as const).map((name) => {
    const all = comparisons.map((comparison) => seriesOf(comparison, name));
    return [
      name,
      formatNumber(median(all.map(({ startMs }) => startMs))),
      mebibytes(median(all.map(({ idleBytes }) => idleBytes))),
      mebibytes(Math.max(...all.map(({ afterBytes }) => afterBytes))),
      mebibytes(Math.max(...all.map(({ peakBytes }) => peakBytes))),
    ];
  });
  return [["", "first answer ms", "idle MiB", "after MiB", "peak MiB"], ...rows];
}

function notes(comparisons: readonly Comparison[]): string[] {
  const lines: string[] = [];
  for (const comparison of comparisons) {
    const { phase, repeated, disturbed, series, disk } = comparison;
    const bare = series.find(({ server }) => server === "bare node:http");
    if (bare !== undefined) {
      const share = ratios(seriesOf(comparison, "Atoll"), bare);
      const rateOfBare = rate(comparison, bare);
      lines.push(
        `${phase.name}: Atoll reaches ${percent(median(share))} of a bare node:http server ` +
          `that drops what it receives (${rateOfBare}).`,
      );
    }
    if (disk !== undefined && bare !== undefined) {
      const ours = medianOf(measuredOf(seriesOf(comparison, "Atoll")), "perSecond");
      lines.push(
        `${phase.name}: Atoll reaches ${percent(ours / disk)} of what the disk takes when ` +
          `${phase.connections} blocks share a write and a sync (${formatNumber(disk)}/s).`,
      );
    }
    if (repeated > 0) {
      lines.push(
        `${phase.name}: rounds repeated because others used the processor: ${repeated}` +
          (disturbed > 0 ? `; kept all the same: ${disturbed}.` : "."),
      );
    }
  }
  return lines.length > 0 ? ["", ...lines] : [];
}

function seriesOf({ series }: Comparison, name: ServerKind["name"]): Series {
  const found = series.find(({ server }) => server === name);
  if (found === undefined) throw new Error(`${name} was not measured.`);
  return found;
}

function rate({ phase }: Comparison, { rounds }: Series): string {
  if (rounds === "501") return "501";
  const perSecond = medianOf(rounds, "perSecond");
  if (phase.unit !== undefined) {
    return `${formatNumber(perSecond * phase.unit.perRequest)} ${phase.unit.name}/s`;
  }
  if (phase.bytes < LARGE_BYTES) return `${formatNumber(perSecond)}/s`;
  return `${formatNumber((perSecond * phase.bytes) / MEGABYTE)} MB/s`;
}

function measuredOf({ rounds }: Series): readonly Measurement[] {
  return rounds === "501" ? [] : rounds;
}

function ratio(ours: Series, theirs: Series): string {
  if (ours.rounds === "501" || theirs.rounds === "501") return "-";
  return `${formatNumber(median(ratios(ours, theirs)))}x`;
}

function ratios(ours: Series, theirs: Series): number[] {
  if (ours.rounds === "501" || theirs.rounds === "501") return [];
  const rounds = theirs.rounds;
  return ours.rounds.map(
    ({ perSecond }, index) => perSecond / (rounds[index]?.perSecond ?? Number.NaN),
  );
}

function medianOf(rounds: readonly Measurement[], field: keyof Measurement): number {
  return median(rounds.map((round) => round[field]));
}

function percent(share: number): string {
  return `${formatNumber(share * 100)} %`;
}

function mebibytes(bytes: number): string {
  return formatNumber(bytes / MEBIBYTE);
}

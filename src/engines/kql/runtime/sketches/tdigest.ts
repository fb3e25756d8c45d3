import type { Json } from "../../types.ts";
import { isArray } from "../dynamic/json.ts";
import { pointOf, type Points, pointsOf } from "../series/series.ts";
import { formatDatetimeTicks, formatTimespanTicks } from "../time/format-time.ts";
import { parseDatetime } from "../time/parse-datetime.ts";
import { parseTimespan } from "../time/parse-timespan.ts";
import { UNIX_EPOCH } from "../time/ticks.ts";
import { type Centroid, compress, percentileOf, rankOf, totalOf } from "./centroids.ts";

const TAG = "tdigest";
/** Times are kept as ticks, of datetimes since 1970, where doubles are fine enough. */
const KINDS = ["number", "datetime", "timespan"] as const;
type Kind = (typeof KINDS)[number];

interface Digest {
  readonly kind: Kind;
  readonly centroids: readonly Centroid[];
}

/** The state of values with weights, 1 without any; null when there are no values. */
export function tdigestOf(values: Json, weights: Json): Json {
  if (!isArray(values)) return null;
  const kind = kindOf(values);
  const centroids = values.flatMap((value, at) => {
    const mean = numberOf(value, kind);
    const weight = isArray(weights) ? (pointOf(weights[at] ?? null) ?? 0) : 1;
    return mean === null || Number.isNaN(mean) || !(weight > 0) ? [] : [{ mean, weight }];
  });
  return write({ kind, centroids });
}

/** The state of all values of several states; null when there is none. */
export function mergeTdigests(states: readonly Json[]): Json {
  const digests = states.map(read).filter((digest) => digest !== null);
  const kind = digests[0]?.kind ?? "number";
  return write({ kind, centroids: digests.flatMap((digest) => digest.centroids) });
}

/** A time comes as its text. Null for what is no state. */
export function tdigestPercentile(state: Json, percentage: number): Json {
  const digest = read(state);
  if (digest === null) return null;
  const value = percentileOf(digest.centroids, percentage);
  if (digest.kind === "number") return value;
  const ticks = BigInt(Math.round(value));
  return digest.kind === "datetime"
    ? formatDatetimeTicks(ticks + UNIX_EPOCH)
    : formatTimespanTicks(ticks);
}

/** How many values are at most this one; ticks of times as in their types. */
export function tdigestRank(state: Json, value: number | bigint): number | null {
  const digest = read(state);
  if (digest === null) return null;
  const isSinceEpoch = digest.kind === "datetime" && typeof value === "bigint";
  return rankOf(digest.centroids, Number(isSinceEpoch ? value - UNIX_EPOCH : value));
}

export function tdigestPercentRank(state: Json, value: number | bigint): number | null {
  const [digest, rank] = [read(state), tdigestRank(state, value)];
  return digest === null || rank === null ? null : (rank * 100) / totalOf(digest.centroids);
}

export function isTdigest(state: Json): boolean {
  return read(state) !== null;
}

function kindOf(values: readonly Json[]): Kind {
  const text = values.find((value) => typeof value === "string");
  if (text === undefined || pointOf(text) !== null) return "number";
  return parseTimespan(text) === null ? "datetime" : "timespan";
}

function numberOf(value: Json, kind: Kind): number | null {
  if (kind === "number" || typeof value !== "string") return pointOf(value);
  if (kind === "timespan") return toNumber(parseTimespan(value));
  const ticks = parseDatetime(value);
  return toNumber(ticks === null ? null : ticks - UNIX_EPOCH);
}

function toNumber(ticks: bigint | null): number | null {
  return ticks === null ? null : Number(ticks);
}

/** `["tdigest", kind, means, weights]`. */
function write({ kind, centroids }: Digest): Json {
  const kept = compress(centroids);
  if (kept.length === 0) return null;
  return [TAG, kind, kept.map(({ mean }) => mean), kept.map(({ weight }) => weight)];
}

function read(state: Json): Digest | null {
  if (!isArray(state) || state[0] !== TAG) return null;
  const [, written = null, means = null, weights = null] = state;
  const kind = KINDS.find((known) => known === written);
  const centroids = centroidsOf(pointsOf(means), pointsOf(weights));
  return kind === undefined || centroids === null ? null : { kind, centroids };
}

function centroidsOf(means: Points | null, weights: Points | null): Centroid[] | null {
  const centroids = (means ?? []).flatMap((mean, at) => {
    const weight = weights?.[at] ?? null;
    return mean === null || weight === null ? [] : [{ mean, weight }];
  });
  return centroids.length > 0 && centroids.length === means?.length ? centroids : null;
}

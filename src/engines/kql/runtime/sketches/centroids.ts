/** Values that were taken together: their mean and how many they are. */
export interface Centroid {
  readonly mean: number;
  readonly weight: number;
}

/** Up to so many values are kept one by one, so that percentiles are exact. */
const EXACT_MAX = 1000;
/** Centroids of a digest that had more values; near the ends they hold few values each. */
const COMPRESSION = 200;

/** Sorts, and takes together what the scale of the t-digest allows. */
export function compress(centroids: readonly Centroid[]): Centroid[] {
  const sorted = centroids.toSorted((one, other) => one.mean - other.mean);
  if (sorted.length <= EXACT_MAX) return sorted;
  const total = totalOf(sorted);
  const merged: Centroid[] = [];
  let [before, limit] = [0, boundary(0)];
  for (const centroid of sorted) {
    const last = merged.at(-1);
    const after = before + centroid.weight;
    if (last !== undefined && after / total <= limit) {
      merged[merged.length - 1] = together(last, centroid);
    } else {
      merged.push(centroid);
      limit = boundary(before / total);
    }
    before = after;
  }
  return merged;
}

export function totalOf(centroids: readonly Centroid[]): number {
  return centroids.reduce((sum, { weight }) => sum + weight, 0);
}

/** Nearest rank where values stand alone, else between the middles of the centroids. */
export function percentileOf(centroids: readonly Centroid[], percentage: number): number {
  const goal = (totalOf(centroids) * Math.min(Math.max(percentage, 0), 100)) / 100;
  let reached = 0;
  for (const [at, centroid] of centroids.entries()) {
    const middle = reached + centroid.weight / 2;
    const isLast = at === centroids.length - 1;
    if (goal <= reached + centroid.weight || isLast) {
      const isExact = centroid.weight === 1 || at === 0 || isLast;
      return isExact ? centroid.mean : between(centroids, at, (goal - middle) / centroid.weight);
    }
    reached += centroid.weight;
  }
  return Number.NaN;
}

/** How many of the values are at most this one. */
export function rankOf(centroids: readonly Centroid[], value: number): number {
  let rank = 0;
  for (const [at, { mean, weight }] of centroids.entries()) {
    if (mean <= value) rank += weight;
    else {
      const before = centroids[at - 1];
      const isExact = weight === 1 || before === undefined || mean === before.mean;
      return isExact ? rank : rank + (weight / 2) * ((value - before.mean) / (mean - before.mean));
    }
  }
  return rank;
}

/** A place in a centroid, from half of it before its middle to half behind. */
function between(centroids: readonly Centroid[], at: number, offset: number): number {
  const here = centroids[at]?.mean ?? Number.NaN;
  const neighbour = centroids[offset < 0 ? at - 1 : at + 1]?.mean ?? here;
  return here + (neighbour - here) * Math.abs(offset);
}

function together(one: Centroid, other: Centroid): Centroid {
  const weight = one.weight + other.weight;
  return { mean: one.mean + ((other.mean - one.mean) * other.weight) / weight, weight };
}

/** How far a centroid that begins at a part of all values may reach. */
function boundary(part: number): number {
  const scale = (COMPRESSION / (2 * Math.PI)) * Math.asin(2 * part - 1) + 1;
  const angle = Math.min((scale * 2 * Math.PI) / COMPRESSION, Math.PI / 2);
  return (Math.sin(angle) + 1) / 2;
}

/**
 * The order in which the service lists sets of cells: that of its hash set of their tokens.
 *
 * Tokens stand in the order of insertion, except that one that falls into the bucket of others goes
 * in front of them. Buckets are picked by the lowest bits of the 64-bit FNV-1a hash.
 */
const BUCKETS_MIN = 8;
const FAST_GROWTH = 8;
const FAST_GROWTH_BUCKETS_MAX = 512;
const SLOW_GROWTH = 2;

/** The lower halves of the 64-bit offset and prime: higher bits never reach the lower ones. */
const FNV_OFFSET = 0x84222325;
const FNV_PRIME = 0x1b3;

/** Distinct tokens, given in the order of insertion, in the order in which they are listed. */
export function inListedOrder(tokens: readonly string[]): string[] {
  let bucketCount = BUCKETS_MIN;
  let buckets = new Map<number, string[]>();
  for (const [size, token] of [...new Set(tokens)].entries()) {
    if (size === bucketCount) {
      bucketCount *= bucketCount < FAST_GROWTH_BUCKETS_MAX ? FAST_GROWTH : SLOW_GROWTH;
      const listed = [...buckets.values()].flat();
      buckets = new Map();
      for (const known of listed) {
        insert(buckets, bucketCount, known);
      }
    }
    insert(buckets, bucketCount, token);
  }
  return [...buckets.values()].flat();
}

function insert(buckets: Map<number, string[]>, bucketCount: number, token: string): void {
  const index = hashOf(token) & (bucketCount - 1);
  const bucket = buckets.get(index);
  if (bucket === undefined) {
    buckets.set(index, [token]);
  } else {
    bucket.unshift(token);
  }
}

function hashOf(token: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < token.length; index += 1) {
    hash = Math.imul(hash ^ token.charCodeAt(index), FNV_PRIME);
  }
  return hash;
}

/** Registers of a HyperLogLog of 2^precision places, by 64-bit hashes. */
export function addHash(registers: Uint8Array, precision: number, hash: bigint): void {
  const place = Number(hash >> BigInt(64 - precision));
  const rest = BigInt.asUintN(64, hash << BigInt(precision));
  const rank = Math.min(leadingZeros(rest), 64 - precision) + 1;
  if (rank > (registers[place] ?? 0)) registers[place] = rank;
}

/** The same registers at a smaller precision. */
export function foldRegisters(registers: Uint8Array, from: number, to: number): Uint8Array {
  const folded = new Uint8Array(2 ** to);
  const bits = from - to;
  for (const [place, rank] of registers.entries()) {
    if (rank === 0) continue;
    const kept = place >> bits;
    const dropped = place & (2 ** bits - 1);
    // The bits that no longer choose the place come in front of those that are ranked.
    const refined = dropped === 0 ? rank + bits : Math.clz32(dropped) - (32 - bits) + 1;
    folded[kept] = Math.max(folded[kept] ?? 0, refined);
  }
  return folded;
}

/** How many distinct hashes were added, by Ertl's estimator, which has no bias to correct. */
export function estimate(registers: Uint8Array, precision: number): number {
  const size = registers.length;
  const top = 64 - precision + 1;
  const counts = Array.from({ length: top + 1 }, () => 0);
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1;

  let sum = size * tau(1 - (counts[top] ?? 0) / size);
  for (let rank = top - 1; rank >= 1; rank -= 1) sum = 0.5 * (sum + (counts[rank] ?? 0));
  sum += size * sigma((counts[0] ?? 0) / size);
  return (size * size) / (2 * Math.LN2) / sum;
}

function leadingZeros(value: bigint): number {
  const high = Math.clz32(Number(value >> 32n));
  return high < 32 ? high : 32 + Math.clz32(Number(value & 0xffff_ffffn));
}

function sigma(part: number): number {
  if (part === 1) return Number.POSITIVE_INFINITY;
  let [power, weight, sum, previous] = [part, 1, part, -1];
  while (sum !== previous) {
    power *= power;
    previous = sum;
    sum += power * weight;
    weight += weight;
  }
  return sum;
}

function tau(part: number): number {
  if (part === 0 || part === 1) return 0;
  let [power, weight, sum, previous] = [part, 1, 1 - part, -1];
  while (sum !== previous) {
    power = Math.sqrt(power);
    previous = sum;
    weight *= 0.5;
    sum -= (1 - power) ** 2 * weight;
  }
  return sum / 3;
}

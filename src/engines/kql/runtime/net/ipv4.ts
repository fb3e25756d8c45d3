/** An address with the length of its prefix; bits below the prefix are kept as written. */
export interface Ipv4 {
  /** 0 to 2^32 - 1. */
  readonly address: number;
  /** 0 to 32. */
  readonly prefix: number;
}

export const IPV4_BITS = 32;
const ADDRESS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/;
const OCTET_MAX = 255;

/** Reads `a.b.c.d` or `a.b.c.d/prefix`; null when the text is neither. */
export function parseIpv4(text: string): Ipv4 | null {
  const parts = ADDRESS.exec(text.trim());
  if (parts === null) return null;
  const prefix = parts[5] === undefined ? IPV4_BITS : Number(parts[5]);
  if (prefix > IPV4_BITS) return null;

  let address = 0;
  for (const octet of parts.slice(1, 5)) {
    if (Number(octet) > OCTET_MAX) return null;
    address = address * 256 + Number(octet);
  }
  return { address, prefix };
}

/** The address with all bits below the prefix cleared. */
export function maskIpv4(address: number, prefix: number): number {
  const size = 2 ** (IPV4_BITS - prefix);
  return address - (address % size);
}

export function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & OCTET_MAX).join(".");
}

/** A prefix given as an argument, 32 when it is missing; null when it is not 0 to 32. */
export function ipv4Prefix(prefix: bigint | null | undefined): number | null {
  if (prefix === null || prefix === undefined) return IPV4_BITS;
  return prefix >= 0n && prefix <= IPV4_BITS ? Number(prefix) : null;
}

/** -1, 0 or 1 as the first is smaller, equal or greater under the shortest of the prefixes. */
export function compareIpv4(first: Ipv4, second: Ipv4, prefix: number): bigint {
  const shortest = Math.min(prefix, first.prefix, second.prefix);
  const difference = maskIpv4(first.address, shortest) - maskIpv4(second.address, shortest);
  return BigInt(Math.sign(difference));
}

/** The fewest networks that together hold all addresses from `first` to `last`. */
export function coverIpv4Range(first: number, last: number): string[] {
  const networks: string[] = [];
  for (let start = first; start <= last;) {
    let prefix = IPV4_BITS;
    while (prefix > 0 && fits(start, prefix - 1, last)) prefix -= 1;
    networks.push(`${formatIpv4(start)}/${prefix}`);
    start += 2 ** (IPV4_BITS - prefix);
  }
  return networks;
}

function fits(start: number, prefix: number, last: number): boolean {
  return maskIpv4(start, prefix) === start && start + 2 ** (IPV4_BITS - prefix) - 1 <= last;
}

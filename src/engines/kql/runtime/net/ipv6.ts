import { IPV4_BITS, parseIpv4 } from "./ipv4.ts";

/** 128 bits of address with the length of the prefix; IPv4 ones are mapped to `::ffff:0:0/96`. */
export interface Ipv6 {
  readonly address: bigint;
  /** 0 to 128. */
  readonly prefix: number;
}

export const IPV6_BITS = 128;
const GROUPS = 8;
const MAPPED_IPV4 = 0xffff_0000_0000n;
const GROUP = /^[0-9a-f]{1,4}$/i;
const PREFIX = /^\d{1,3}$/;

/** Reads an IPv6 or IPv4 address with or without prefix; null when the text is neither. */
export function parseIpv6(text: string): Ipv6 | null {
  const trimmed = text.trim();
  // `::a.b.c.d` counts as the IPv4 address, and its prefix as one of 32 bits.
  const ipv4 = parseIpv4(trimmed.replace(/^::(?=\d+\.)/, ""));
  if (ipv4 !== null) {
    const prefix = ipv4.prefix + IPV6_BITS - IPV4_BITS;
    return { address: MAPPED_IPV4 + BigInt(ipv4.address), prefix };
  }

  const [written = "", suffix, ...more] = trimmed.split("/");
  if (more.length > 0 || (suffix !== undefined && !PREFIX.test(suffix))) return null;
  const prefix = suffix === undefined ? IPV6_BITS : Number(suffix);
  const groups = expandGroups(written);
  if (prefix > IPV6_BITS || groups === null) return null;
  return { address: BigInt(`0x${groups.join("")}`), prefix };
}

/** The eight groups of four digits each, or null. */
function expandGroups(written: string): string[] | null {
  const halves = written.split("::");
  if (halves.length > 2) return null;
  const [left = [], right] = halves.map(groupsOf);
  if (left === null || right === null) return null;
  if (right === undefined) return left.length === GROUPS ? left : null;

  const missing = GROUPS - left.length - right.length;
  if (missing < 1) return null;
  return [...left, ...Array.from({ length: missing }, () => "0000"), ...right];
}

function groupsOf(half: string): string[] | null {
  if (half === "") return [];
  const groups = half.split(":");
  const ipv4 = parseIpv4(groups.at(-1) ?? "");
  if (ipv4 !== null && ipv4.prefix === IPV4_BITS) {
    const digits = ipv4.address.toString(16).padStart(8, "0");
    groups.splice(-1, 1, digits.slice(0, 4), digits.slice(4));
  }
  return groups.every((group) => GROUP.test(group))
    ? groups.map((group) => group.padStart(4, "0"))
    : null;
}

export function maskIpv6(address: bigint, prefix: number): bigint {
  const bits = BigInt(IPV6_BITS - prefix);
  return (address >> bits) << bits;
}

/** All eight groups with all their digits, in lower case. */
export function formatIpv6(address: bigint): string {
  const digits = address.toString(16).padStart(GROUPS * 4, "0");
  return Array.from({ length: GROUPS }, (_, at) => digits.slice(at * 4, at * 4 + 4)).join(":");
}

/** A prefix given as an argument, 128 when it is missing; null when it is not 0 to 128. */
export function ipv6Prefix(prefix: bigint | null | undefined): number | null {
  if (prefix === null || prefix === undefined) return IPV6_BITS;
  return prefix >= 0n && prefix <= IPV6_BITS ? Number(prefix) : null;
}

/** -1, 0 or 1 as the first is smaller, equal or greater under the shortest of the prefixes. */
export function compareIpv6(first: Ipv6, second: Ipv6, prefix: number): bigint {
  const shortest = Math.min(prefix, first.prefix, second.prefix);
  const difference = maskIpv6(first.address, shortest) - maskIpv6(second.address, shortest);
  if (difference === 0n) return 0n;
  return difference < 0n ? -1n : 1n;
}

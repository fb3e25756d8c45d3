import { parseIpv4 } from "../net/ipv4.ts";
import { parseIpv6 } from "../net/ipv6.ts";

/** A network as the first bits of its addresses. */
interface Network {
  readonly address: bigint;
  readonly prefix: number;
  readonly bits: number;
}

type ParseNetwork = (text: string) => Network | null;

export const parseIpv4Network: ParseNetwork = (text) => {
  const found = parseIpv4(text);
  return found === null ? null : { ...found, address: BigInt(found.address), bits: 32 };
};

export const parseIpv6Network: ParseNetwork = (text) => {
  const found = parseIpv6(text);
  return found === null ? null : { ...found, bits: 128 };
};

/** Finds the positions of the networks that an address lies in, the narrowest first. */
export function createNetworkLookup(
  networks: readonly string[],
  parse: ParseNetwork,
): (address: string) => readonly number[] {
  const byPrefix = new Map<number, Map<bigint, number[]>>();
  networks.forEach((text, index) => {
    const network = parse(text);
    if (network === null) return;
    const known = byPrefix.get(network.prefix) ?? new Map<bigint, number[]>();
    byPrefix.set(network.prefix, known);
    const start = firstBits(network, network.prefix);
    known.set(start, [...(known.get(start) ?? []), index]);
  });
  const prefixes = [...byPrefix.keys()].toSorted((a, b) => b - a);
  return (text) => {
    const address = parse(text);
    if (address === null) return [];
    return prefixes
      .filter((prefix) => prefix <= address.prefix)
      .flatMap((prefix) => byPrefix.get(prefix)?.get(firstBits(address, prefix)) ?? []);
  };
}

function firstBits({ address, bits }: Network, prefix: number): bigint {
  return address >> BigInt(bits - prefix);
}

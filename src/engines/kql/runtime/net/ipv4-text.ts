import { parseIpv4 } from "./ipv4.ts";

/** Addresses in a text, delimited on both sides by something that is no letter and no digit. */
const CANDIDATE = /(?<![a-z0-9])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![a-z0-9])/gi;
const PARTIAL = /^\d{1,3}\.(?:\d{1,3}\.){0,2}$/;

/** Whether the text holds one of the addresses; what is no address is in no text. */
export function hasIpv4(text: string, addresses: readonly string[]): boolean {
  const wanted = addresses.flatMap((address) => parseIpv4(address)?.address ?? []);
  return wanted.length > 0 && addressesIn(text).some(({ address }) => wanted.includes(address));
}

/** Whether the text holds an address that begins so: `10.1.` with its dot, or a whole address. */
export function hasIpv4Prefix(text: string, prefixes: readonly string[]): boolean {
  const found = addressesIn(text);
  return prefixes.some((prefix) =>
    PARTIAL.test(prefix)
      ? found.some(({ written }) => written.startsWith(prefix))
      : hasIpv4(text, [prefix]),
  );
}

function addressesIn(text: string): { written: string; address: number }[] {
  return [...text.matchAll(CANDIDATE)].flatMap(([written]) => {
    const ipv4 = parseIpv4(written);
    return ipv4 === null ? [] : [{ written, address: ipv4.address }];
  });
}

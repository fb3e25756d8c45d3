import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { kindOfAddress } from "./addresses.ts";
import { OutboundError } from "./outbound-error.ts";

const URL_LENGTH_MAX = 2048;

/** All addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface AddressRules {
  readonly isAllowed: (url: URL) => boolean;
  readonly allowLoopback: boolean;
  readonly lookup: Lookup;
}

/** Parses a URL once; from here on only the parsed form is used. */
export function parseTarget(text: string): URL {
  if (text.length > URL_LENGTH_MAX) {
    const seen = `this one has ${text.length}`;
    throw new OutboundError("refused", `A URL has at most ${URL_LENGTH_MAX} characters, ${seen}.`);
  }
  const url = URL.parse(text);
  if (url === null) throw new OutboundError("refused", "This is not an absolute URL.");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutboundError("refused", `Only http and https are fetched, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    const sentence = `The URL of ${url.hostname} must not carry a user name or password.`;
    throw new OutboundError("refused", sentence);
  }
  return url;
}

/** The addresses to connect to: every one of the host's, or none if one of them is refused. */
export async function checkedAddresses(url: URL, rules: AddressRules): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) === 0 ? await resolved(host, rules.lookup) : [host];
  if (rules.isAllowed(url)) return addresses;
  for (const address of addresses) {
    const kind = kindOfAddress(address);
    if (kind === "public" || (kind === "loopback" && rules.allowLoopback)) continue;
    const sentence = `${url.hostname} is not on the public internet; allow the host to fetch it.`;
    throw new OutboundError("refused", sentence);
  }
  return addresses;
}

export async function lookupInSystem(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

async function resolved(host: string, lookup: Lookup): Promise<readonly string[]> {
  const sentence = `The name of the host ${host} does not resolve.`;
  const addresses = await lookup(host).catch((cause: unknown) => {
    throw new OutboundError("unreachable", sentence, { cause });
  });
  if (addresses.length === 0) throw new OutboundError("unreachable", sentence);
  return addresses;
}

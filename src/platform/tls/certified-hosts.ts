import type { X509Certificate } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";

const LOCAL_HOSTS = ["localhost", "*.localhost", "127.0.0.1", "::1"] as const;
const DNS_NAME = /^(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
/** One binds to these; nobody calls them. */
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** A name that no certificate can carry. */
export class HostError extends Error {
  override readonly name = "HostError";
}

/** What a server of this machine is certified for, in one spelling, sorted, each once. */
export function certifiedHosts(hosts: readonly string[], machine: string): string[] {
  const named = hosts.map((host) => {
    const canonical = canonicalHost(host);
    if (canonical !== undefined) return canonical;
    throw new HostError(`"${host}" is neither a host name nor an address: it cannot be certified.`);
  });
  // The machine's own name is chosen by its owner and may be a sentence.
  const own = canonicalHost(machine) ?? "localhost";
  const all = new Set([...LOCAL_HOSTS, own, ...named]);
  return [...all].filter((host) => !ANY_ADDRESS.has(host)).toSorted();
}

/** What this certificate is for, in the same spelling and order. */
export function hostsOf(certificate: X509Certificate): string[] {
  const names = (certificate.subjectAltName ?? "").split(", ");
  const bare = names.map((name) => name.replace(/^(DNS|IP Address):/, ""));
  return bare.map((name) => canonicalHost(name) ?? name).toSorted();
}

function canonicalHost(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (isIPv6(bare)) return URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1);
  if (isIP(bare) !== 0) return bare;
  const name = domainToASCII(bare).toLowerCase();
  return DNS_NAME.test(name) ? name : undefined;
}

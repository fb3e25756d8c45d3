import { isIP, isIPv6 } from "node:net";

const ENTRY = /^(\.?)(\[[^\]]+\]|[^:[\]/@?#\\]+)(?::(\d{1,5}))?$/;
const PORT_MAX = 65_535;

/**
 * Reads the names that may be fetched from wherever they lead. An entry is a host (`intern.test`,
 * `10.0.0.7`, `[fd00::1]`) or, with a leading dot, every name below it; with `:port` it is for
 * that port only. Throws a `TypeError` for what is no such entry.
 */
export function allowedHosts(entries: readonly string[]): (url: URL) => boolean {
  const rules = entries.map(ruleOf);
  return (url) => rules.some((rule) => rule(url));
}

function ruleOf(entry: string): (url: URL) => boolean {
  const [, dot, name, port] = ENTRY.exec(isIPv6(entry) ? `[${entry}]` : entry) ?? [];
  const host = name === undefined ? undefined : URL.parse(`http://${name}`)?.hostname;
  if (host === undefined || Number(port ?? 0) > PORT_MAX) {
    throw new TypeError(`"${entry}" is no allowed host: write host, .suffix, host:port.`);
  }
  const wanted = withoutFinalDot(host);
  return (url) => {
    if (port !== undefined && Number(port) !== portOf(url)) return false;
    const asked = withoutFinalDot(url.hostname);
    return dot === "." ? isIP(asked) === 0 && asked.endsWith(`.${wanted}`) : asked === wanted;
  };
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function withoutFinalDot(host: string): string {
  return host.replace(/\.$/, "");
}

import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Where an address leads: `special` is every network that is not the public internet. */
export type AddressKind = "public" | "loopback" | "special";

const LOOPBACK = ["127.0.0.0/8"];

const SPECIAL = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers, with metadata services
  "168.63.129.16/32", // a cloud's own host, seen from its machines
  "169.254.0.0/16", // link-local, with metadata services
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays into IPv6
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved and broadcast
];

const SPECIAL_V6 = [
  "2001::/23", // protocol assignments, tunnels among them
  "2001:db8::/32", // documentation
  "3fff::/20", // documentation
];

/** The only part of IPv6 that is routed publicly. */
const GLOBAL_V6 = ["2000::/3"];

const loopback = blockList([...LOOPBACK.flatMap(withEmbedded), "::1/128"]);
const special = blockList([...SPECIAL.flatMap(withEmbedded), ...SPECIAL_V6]);
const global = blockList([...GLOBAL_V6, "::ffff:0:0/96", "64:ff9b::/96"]);

/** Judges an address as the system resolved it. What is no address at all is `special`. */
export function kindOfAddress(address: string): AddressKind {
  if (isIPv4(address)) return kindIn("ipv4", address);
  // A zone ("%eth0") belongs to link-local addresses, which are refused anyway.
  if (!isIPv6(address) || address.includes("%")) return "special";
  const kind = kindIn("ipv6", address);
  return kind === "public" && !global.check(address, "ipv6") ? "special" : kind;
}

function kindIn(family: "ipv4" | "ipv6", address: string): AddressKind {
  if (loopback.check(address, family)) return "loopback";
  return special.check(address, family) ? "special" : "public";
}

/** The network itself, and where IPv6 carries it: mapped, NAT64 and 6to4. */
function withEmbedded(network: string): string[] {
  const [address = "", length = ""] = network.split("/");
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  const bits = Number(length);
  return [
    network,
    `::ffff:${hex}/${96 + bits}`,
    `64:ff9b::${hex}/${96 + bits}`,
    `2002:${hex}::/${16 + bits}`,
  ];
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length = ""] = network.split("/");
    list.addSubnet(address, Number(length), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}

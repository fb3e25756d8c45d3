import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import {
  compareIpv4,
  coverIpv4Range,
  formatIpv4,
  type Ipv4,
  IPV4_BITS,
  ipv4Prefix,
  maskIpv4,
  parseIpv4,
} from "./ipv4.ts";
import { hasIpv4, hasIpv4Prefix } from "./ipv4-text.ts";
import { isInAnyRange, textsOf } from "./ranges.ts";

const PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

export const ipv4Functions: readonly RuntimeFunction[] = [
  runtimeFunction("parse_ipv4", ["string"], "long", (text) => networkOf(parseIpv4(text), null)),
  runtimeFunction("parse_ipv4_mask", ["string", "long"], "long", (text, prefix) =>
    networkOf(parseIpv4(text), prefix),
  ),
  runtimeFunction("ipv4_netmask_suffix", ["string"], "long", (text) => {
    const ipv4 = parseIpv4(text);
    return ipv4 === null ? null : BigInt(ipv4.prefix);
  }),
  runtimeFunction("ipv4_compare", ["string", "string", "long?"], "long", compare),
  runtimeFunction("ipv4_is_match", ["string", "string", "long?"], "bool", isMatch),
  runtimeFunction("ipv4_is_in_range", ["string", "string"], "bool", isInRange),
  runtimeFunction("ipv4_is_in_any_range", ["string", "dynamic"], "bool", (text, ranges) =>
    isInAnyRange(text, textsOf(ranges), isInRange),
  ),
  variadicFunction(
    { name: "ipv4_is_in_any_range", first: ["string"], rest: "string", returns: "bool" },
    (text, ranges) => isInAnyRange(text, textsOf(ranges), isInRange),
  ),
  runtimeFunction("ipv4_is_private", ["string"], "bool", (text) =>
    isInAnyRange(text, PRIVATE_NETWORKS, isInRange),
  ),
  runtimeFunction("ipv4_range_to_cidr_list", ["string", "string"], "dynamic", cidrList),
  ...["format_ipv4", "format_ipv4_mask"].flatMap((name) => [
    runtimeFunction(name, ["string", "long?"], "string", (text, prefix) =>
      format(name, readAddress(text), prefix),
    ),
    runtimeFunction(name, ["long", "long?"], "string", (address, prefix) =>
      format(name, fromNumber(address), prefix),
    ),
  ]),
  ...searches("has_ipv4", "has_any_ipv4", hasIpv4),
  ...searches("has_ipv4_prefix", "has_any_ipv4_prefix", hasIpv4Prefix),
];

function searches(
  one: string,
  any: string,
  search: (text: string, wanted: readonly string[]) => boolean,
): RuntimeFunction[] {
  return [
    runtimeFunction(one, ["string", "string"], "bool", (text, wanted) => search(text, [wanted])),
    runtimeFunction(any, ["string", "dynamic"], "bool", (text, wanted) =>
      search(text, textsOf(wanted)),
    ),
    variadicFunction(
      { name: any, first: ["string"], rest: "string", returns: "bool" },
      (text, wanted) => search(text, textsOf(wanted)),
    ),
  ];
}

function networkOf(ipv4: Ipv4 | null, argument: bigint | null): bigint | null {
  const prefix = ipv4Prefix(argument);
  if (ipv4 === null || prefix === null) return null;
  return BigInt(maskIpv4(ipv4.address, Math.min(prefix, ipv4.prefix)));
}

function compare(left: string, right: string, argument: bigint | null): bigint | null {
  const [first, second, prefix] = [parseIpv4(left), parseIpv4(right), ipv4Prefix(argument)];
  if (first === null || second === null || prefix === null) return null;
  return compareIpv4(first, second, prefix);
}

function isMatch(left: string, right: string, argument: bigint | null): boolean | null {
  const order = compare(left, right, argument);
  return order === null ? null : order === 0n;
}

function isInRange(text: string, range: string): boolean | null {
  const [ipv4, network] = [parseIpv4(text), parseIpv4(range)];
  if (ipv4 === null || network === null) return null;
  return compareIpv4(ipv4, network, IPV4_BITS) === 0n;
}

function cidrList(start: string, end: string): Json {
  const [first, last] = [parseIpv4(start), parseIpv4(end)];
  return first === null || last === null ? null : coverIpv4Range(first.address, last.address);
}

function readAddress(text: string): Ipv4 | null {
  return /^\d+$/.test(text) ? fromNumber(BigInt(text)) : parseIpv4(text);
}

function fromNumber(address: bigint): Ipv4 | null {
  if (address < 0n || address >= 2 ** IPV4_BITS) return null;
  return { address: Number(address), prefix: IPV4_BITS };
}

function format(name: string, ipv4: Ipv4 | null, argument: bigint | null): string {
  const prefix = ipv4Prefix(argument);
  if (ipv4 === null || prefix === null) return "";
  const shortest = Math.min(prefix, ipv4.prefix);
  const network = formatIpv4(maskIpv4(ipv4.address, shortest));
  return name === "format_ipv4" ? network : `${network}/${shortest}`;
}

import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { compareIpv6, formatIpv6, IPV6_BITS, ipv6Prefix, maskIpv6, parseIpv6 } from "./ipv6.ts";
import { isInAnyRange, textsOf } from "./ranges.ts";

export const ipv6Functions: readonly RuntimeFunction[] = [
  runtimeFunction("parse_ipv6", ["string"], "string", (text) => canonical(text, null)),
  runtimeFunction("parse_ipv6_mask", ["string", "long"], "string", canonical),
  runtimeFunction("ipv6_compare", ["string", "string", "long?"], "long", compare),
  runtimeFunction("ipv6_is_match", ["string", "string", "long?"], "bool", isMatch),
  runtimeFunction("ipv6_is_in_range", ["string", "string"], "bool", isInRange),
  runtimeFunction("ipv6_is_in_any_range", ["string", "dynamic"], "bool", (text, ranges) =>
    isInAnyRange(text, textsOf(ranges), isInRange),
  ),
  variadicFunction(
    { name: "ipv6_is_in_any_range", first: ["string"], rest: "string", returns: "bool" },
    (text, ranges) => isInAnyRange(text, textsOf(ranges), isInRange),
  ),
];

function canonical(text: string, argument: bigint | null): string {
  const [ipv6, prefix] = [parseIpv6(text), ipv6Prefix(argument)];
  if (ipv6 === null || prefix === null) return "";
  return formatIpv6(maskIpv6(ipv6.address, Math.min(prefix, ipv6.prefix)));
}

function compare(left: string, right: string, argument: bigint | null): bigint | null {
  const [first, second, prefix] = [parseIpv6(left), parseIpv6(right), ipv6Prefix(argument)];
  if (first === null || second === null || prefix === null) return null;
  return compareIpv6(first, second, prefix);
}

function isMatch(left: string, right: string, argument: bigint | null): boolean | null {
  const order = compare(left, right, argument);
  return order === null ? null : order === 0n;
}

function isInRange(text: string, range: string): boolean | null {
  return isMatch(text, range, BigInt(IPV6_BITS));
}

import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { decodePunycode, encodePunycode } from "./punycode.ts";

const PREFIX = "xn--";
/** The full stop and those that Chinese and Japanese write. */
const DOTS = /[.\u3002\uff0e\uff61]/;
const ASCII = /^[\0-\x7f]*$/;

/** For domains `to` encodes and `from` decodes; for other text it is the other way round. */
export const punycodeFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("punycode_from_string", ["string"], "string", encodePunycode),
  runtimeFunction("punycode_to_string", ["string"], "string", (text) => decodePunycode(text) ?? ""),
  runtimeFunction("punycode_domain_to_string", ["string"], "string", (domain) =>
    domain
      .split(DOTS)
      .map((label) => (ASCII.test(label) ? label : PREFIX + encodePunycode(label)))
      .join("."),
  ),
  runtimeFunction("punycode_domain_from_string", ["string"], "string", (domain) => {
    const labels = domain.split(DOTS).map(decodeLabel);
    return labels.includes(null) ? "" : labels.join(".");
  }),
];

function decodeLabel(label: string): string | null {
  const isEncoded = label.toLowerCase().startsWith(PREFIX);
  return isEncoded ? decodePunycode(label.slice(PREFIX.length)) : label;
}

import { KqlError } from "../../kql-error.ts";
import { textOfJson } from "../dynamic/json.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { parseCsvRecord } from "./csv-record.ts";
import { parseJsonPath, valueAtJsonPath } from "./json-path.ts";
import { parseJson, readDynamic } from "./json-text.ts";
import { parsePath, parseUrl, parseUrlQuery } from "./url-parts.ts";
import { parseXml } from "./xml-text.ts";

/** Parts of a version, and how many digits each may have. */
const VERSION = /^\d{1,8}(?:\.\d{1,8}){0,3}$/;
const VERSION_PARTS = 4;
const VERSION_DIGITS = 8;
const DECIMALS = 18;

/** Text that has a form of its own. */
export const parsingFunctions: readonly RuntimeFunction[] = [
  ...["parse_json", "parsejson", "todynamic", "toobject"].map((name) =>
    runtimeFunction(name, ["string"], "dynamic", readDynamic),
  ),
  ...["extract_json", "extractjson"].map((name) =>
    runtimeFunction(name, ["string", "string"], "string", extractJson),
  ),
  runtimeFunction("parse_csv", ["string"], "dynamic", parseCsvRecord),
  runtimeFunction("parse_xml", ["string"], "dynamic", parseXml),
  ...["parse_url", "parseurl"].map((name) =>
    runtimeFunction(name, ["string"], "dynamic", parseUrl),
  ),
  ...["parse_urlquery", "parseurlquery"].map((name) =>
    runtimeFunction(name, ["string"], "dynamic", parseUrlQuery),
  ),
  runtimeFunction("parse_path", ["string"], "dynamic", parsePath),
  runtimeFunction("parse_user_agent", ["string", "dynamic?"], "dynamic", () => {
    throw new KqlError("unsupported", "parse_user_agent() needs a catalogue of browsers to go by.");
  }),
  runtimeFunction("parse_version", ["string"], "decimal", parseVersion),
];

/** The text at a path of JSON text; `""` when there is none. */
function extractJson(path: string, text: string): string {
  const [steps, value] = [parseJsonPath(path), parseJson(text)];
  if (steps === null || value === undefined) return "";
  return textOfJson(valueAtJsonPath(value, steps) ?? null);
}

/**
 * Eight digits for each of four parts, so that versions compare as numbers. Eighteen of the digits
 * are decimals, as a decimal has no more than twenty digits before its point.
 */
function parseVersion(text: string): string | null {
  if (!VERSION.test(text)) return null;
  const parts = text.split(".");
  const digits = Array.from({ length: VERSION_PARTS }, (_, at) =>
    (parts[at] ?? "").padStart(VERSION_DIGITS, "0"),
  );
  const whole = BigInt(digits.join(""))
    .toString()
    .padStart(DECIMALS + 1, "0");
  const decimals = whole.slice(-DECIMALS).replace(/0+$/, "");
  return whole.slice(0, -DECIMALS) + (decimals === "" ? "" : `.${decimals}`);
}

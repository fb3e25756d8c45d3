import { headerIn, type Dialect } from "#platform/http/dialect.ts";
import {
  childText,
  invalidXml,
  invalidXmlNode,
  missingXmlNode,
  type XmlElement,
} from "../protocol/xml-body.ts";

const RULES_MAX = 5;
const ENTRIES_MAX = 64;
const ENTRY_LENGTH_MAX = 256;
const METHODS: ReadonlySet<string> = new Set([
  "DELETE",
  "GET",
  "HEAD",
  "MERGE",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
]);

/** One `<CorsRule>`. `*` in a list stands for all, at the end of a header for any ending. */
export interface CorsRule {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  /** Seconds. */
  readonly maxAge: number;
}

/** What a browser asks, or what a script does. */
export interface CrossOrigin {
  readonly origin: string;
  readonly method: string;
  /** That a script wants to send, beside those that every browser sends. */
  readonly headers: readonly string[];
}

export function checkCorsRules(section: XmlElement): void {
  const { length } = section.children;
  if (length > RULES_MAX)
    throw invalidXml(`It has ${length} CORS rules; ${RULES_MAX} are allowed.`);
  corsRules(section);
}

/** The rules of `<Cors>`; refuses with 400 what is none. */
export function corsRules({ children }: XmlElement): CorsRule[] {
  return children.map((rule) => {
    const methods = listOf(rule, "AllowedMethods");
    for (const method of methods) {
      if (METHODS.has(method)) continue;
      throw invalidXmlNode("AllowedMethods", method, "which is no method");
    }
    const origins = listOf(rule, "AllowedOrigins");
    if (origins.length === 0 || methods.length === 0) {
      throw missingXmlNode(origins.length === 0 ? "AllowedOrigins" : "AllowedMethods", "CorsRule");
    }
    const headers = listOf(rule, "AllowedHeaders");
    const exposed = listOf(rule, "ExposedHeaders");
    return { origins, methods, headers, exposed, maxAge: maxAgeOf(rule) };
  });
}

function listOf(rule: XmlElement, name: string): string[] {
  const text = childText(rule, name);
  if (text === undefined) throw missingXmlNode(name, "CorsRule");
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length > ENTRIES_MAX) {
    throw invalidXmlNode(name, `${entries.length} entries`, `and ${ENTRIES_MAX} are allowed`);
  }
  const long = entries.find((entry) => entry.length > ENTRY_LENGTH_MAX);
  if (long === undefined) return entries;
  throw invalidXmlNode(name, long, `which is longer than ${ENTRY_LENGTH_MAX} characters`);
}

function maxAgeOf(rule: XmlElement): number {
  const text = childText(rule, "MaxAgeInSeconds");
  if (text === undefined) throw missingXmlNode("MaxAgeInSeconds", "CorsRule");
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidXmlNode("MaxAgeInSeconds", text, "which is no whole number of seconds");
}

/** The first rule that allows it. Names of headers mean the same in both dialects. */
export function ruleFor(rules: readonly CorsRule[], asked: CrossOrigin): CorsRule | undefined {
  return rules.find(
    ({ origins, methods, headers }) =>
      (origins.includes("*") || origins.includes(asked.origin)) &&
      methods.includes(asked.method) &&
      asked.headers.every((header) => headers.some((allowed) => covers(allowed, header))),
  );
}

function covers(allowed: string, header: string): boolean {
  const pattern = headerIn("public", allowed.toLowerCase());
  const name = headerIn("public", header.toLowerCase());
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Names of a rule's headers as the caller knows them. */
export function headersIn(dialect: Dialect, names: readonly string[]): string {
  const native = names.map((name) => name.replace(/^x-ms-/i, "x-svc-"));
  return native.map((name) => headerIn(dialect, name)).join(",");
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { Problem } from "../problem.ts";
import { compareAsCulture, compareOrdinal } from "./header-order.ts";
import { queryParameters, splitUrl } from "./url-parts.ts";

/** How far a request's date may lie from the server's clock. */
const CLOCK_SKEW_MAX_MS = 15 * 60 * 1000;

const SIGNED_PREFIX = /^x-(?:ms|svc)-/;
const DATE_HEADER = /^x-(?:ms|svc)-date$/;
const SECONDARY = "-secondary";
/** Up to here an empty body is signed as `0`, afterwards as an empty line. */
const ZERO_LENGTH_SIGNED_UNTIL = "2014-02-14";
/** From here a header without a value is signed; before it is left out. */
const EMPTY_HEADERS_SIGNED_SINCE = "2016-05-31";

export type SharedKeyScheme = "SharedKey" | "SharedKeyLite";

/** What `Authorization: SharedKey <account>:<signature>` says. */
export interface SharedKeyCredential {
  readonly scheme: SharedKeyScheme;
  readonly account: string;
  /** Base64 of an HMAC-SHA256. */
  readonly signature: string;
}

/** A request exactly as it was sent: what is signed are the bytes on the wire. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** The protocol version asked for, which decides details of the string to sign. */
  readonly version: string;
}

/** The credential of an Authorization header; undefined for any other scheme. */
export function parseSharedKey(authorization: string): SharedKeyCredential | undefined {
  const match = /^(SharedKey|SharedKeyLite) +([a-z0-9]{3,24}):([\w+/]+=*) *$/.exec(authorization);
  const [, scheme, account, signature] = match ?? [];
  if (account === undefined || signature === undefined) return undefined;
  return { scheme: scheme === "SharedKey" ? scheme : "SharedKeyLite", account, signature };
}

/**
 * Refuses, with 403, a request that none of the account's keys has signed or whose date is not
 * within fifteen minutes of `now`; and with 400 one that repeats a signed header.
 */
export function requireSharedKey(
  request: SentRequest,
  credential: SharedKeyCredential,
  keys: readonly Uint8Array[],
  now: Date,
): void {
  const headers = headersOf(request.rawHeaders);
  requireDate(headers, now);
  const given = Buffer.from(credential.signature, "base64");
  for (const text of stringsToSign(request, headers, credential)) {
    if (keys.some((key) => isSignature(given, key, text))) return;
  }
  const signed = [...headers.keys()].filter((name) => SIGNED_PREFIX.test(name)).toSorted();
  throw refusal(
    `The ${credential.scheme} signature is not that of this request under a key of the account ` +
      `${credential.account}. Signed are the ${request.method} of ${splitUrl(request.url).path} ` +
      `and, besides the standard headers, ${signed.join(", ")}.`,
  );
}

/** Whether `given` is the HMAC-SHA256 of `text` under `key`; takes the same time either way. */
export function isSignature(given: Uint8Array, key: Uint8Array, text: string): boolean {
  const computed = createHmac("sha256", key).update(text, "utf8").digest();
  return given.length === computed.length && timingSafeEqual(given, computed);
}

/**
 * The strings that a client may have signed, the likeliest first. Clients disagree on whether
 * the suffix of a secondary address is signed, and the public SDKs sort header names by a
 * culture's rules, which differ from plain order only for names with `_` or an extra `-`.
 */
function* stringsToSign(request: SentRequest, headers: Headers, credential: SharedKeyCredential) {
  const { path } = splitUrl(request.url);
  const suffixed = `/${credential.account}${SECONDARY}`;
  const paths = [path];
  if (path === suffixed || path.startsWith(`${suffixed}/`)) {
    paths.push(`/${credential.account}${path.slice(suffixed.length)}`);
  }
  const orders = hasOddName(headers) ? [compareOrdinal, compareAsCulture] : [compareOrdinal];
  const write = credential.scheme === "SharedKey" ? stringToSign : liteStringToSign;
  for (const order of orders) {
    const canonical = canonicalHeaders(headers, request.version, order);
    for (const signedPath of paths) {
      yield write(request, headers, canonical, `/${credential.account}${signedPath}`);
    }
  }
}

type Headers = ReadonlyMap<string, string>;

function stringToSign(request: SentRequest, headers: Headers, canonical: string, path: string) {
  const { query } = splitUrl(request.url);
  return (
    [
      request.method,
      headers.get("content-encoding") ?? "",
      headers.get("content-language") ?? "",
      contentLength(headers, request.version),
      headers.get("content-md5") ?? "",
      headers.get("content-type") ?? "",
      standardDate(headers),
      headers.get("if-modified-since") ?? "",
      headers.get("if-match") ?? "",
      headers.get("if-none-match") ?? "",
      headers.get("if-unmodified-since") ?? "",
      headers.get("range") ?? "",
      "",
    ].join("\n") +
    canonical +
    path +
    canonicalQuery(query)
  );
}

function liteStringToSign(request: SentRequest, headers: Headers, canonical: string, path: string) {
  const { query } = splitUrl(request.url);
  const comp = queryParameters(query).find(([name]) => name === "comp")?.[1];
  return (
    [
      request.method,
      headers.get("content-md5") ?? "",
      headers.get("content-type") ?? "",
      standardDate(headers),
      "",
    ].join("\n") +
    canonical +
    path +
    (comp === undefined ? "" : `?comp=${comp}`)
  );
}

/** The Date header counts only where no protocol date was sent. */
function standardDate(headers: Headers): string {
  return protocolDate(headers) === undefined ? (headers.get("date") ?? "") : "";
}

function protocolDate(headers: Headers): string | undefined {
  return headers.get("x-ms-date") ?? headers.get("x-svc-date");
}

function contentLength(headers: Headers, version: string): string {
  const length = headers.get("content-length") ?? "";
  return length === "0" && version > ZERO_LENGTH_SIGNED_UNTIL ? "" : length;
}

function canonicalHeaders(
  headers: Headers,
  version: string,
  order: (left: string, right: string) => number,
): string {
  const names = [...headers.keys()].filter((name) => SIGNED_PREFIX.test(name)).toSorted(order);
  return names
    .map((name) => {
      const value = folded(headers.get(name) ?? "");
      const isSigned = value !== "" || version >= EMPTY_HEADERS_SIGNED_SINCE;
      return isSigned ? `${name}:${value}\n` : "";
    })
    .join("");
}

/** Runs of linear white space become one space, except inside quotes. */
function folded(value: string): string {
  if (!/[\t\r\n]| {2}/.test(value)) return value;
  return value.replace(/("[^"]*")|[ \t\r\n]+/g, (_run, quoted?: string) => quoted ?? " ");
}

function canonicalQuery(query: string): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of queryParameters(query)) {
    const key = name.toLowerCase();
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  const sorted = [...values].toSorted(([left], [right]) => compareOrdinal(left, right));
  return sorted.map(([name, all]) => `\n${name}:${all.toSorted().join(",")}`).join("");
}

const SIGNED_STANDARD: ReadonlySet<string> = new Set([
  "authorization",
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "range",
]);

function headersOf(rawHeaders: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    // Of two, one would be signed and the other acted upon.
    if (headers.has(name) && (SIGNED_PREFIX.test(name) || SIGNED_STANDARD.has(name))) {
      throw new Problem(400, "InvalidHeaderValue", `The header ${name} occurs twice.`, {
        fields: { HeaderName: name },
      });
    }
    headers.set(name, (rawHeaders[at + 1] ?? "").trim());
  }
  return headers;
}

function hasOddName(headers: Headers): boolean {
  return [...headers.keys()].some((name) => /^x-(?:ms|svc)-meta-.*[_-]/.test(name));
}

function requireDate(headers: Headers, now: Date): void {
  const text = protocolDate(headers) ?? headers.get("date");
  const sent = Date.parse(text ?? "");
  if (Number.isNaN(sent)) {
    const name = [...headers.keys()].find((key) => DATE_HEADER.test(key)) ?? "Date";
    const said = text === undefined ? "There is neither" : `${name} is "${text}": there is no`;
    throw refusal(`${said} x-svc-date nor Date that is a date; a signed request carries one.`);
  }
  if (Math.abs(now.getTime() - sent) > CLOCK_SKEW_MAX_MS) {
    throw refusal(
      `The request is dated ${text} and the server's clock says ${now.toUTCString()}; they may ` +
        `differ by ${CLOCK_SKEW_MAX_MS / 60_000} minutes at most.`,
    );
  }
}

function refusal(detail: string): Problem {
  return new Problem(403, "AuthenticationFailed", "The signature of the request was refused.", {
    fields: { AuthenticationErrorDetail: detail },
  });
}

import { isIPv4 } from "node:net";
import { Problem } from "../problem.ts";
import { isSignature } from "./shared-key.ts";

/** The oldest version whose strings to sign are known here. */
const SIGNED_VERSION_MIN = "2015-04-05";
const RESOURCE_SIGNED_SINCE = "2018-11-09";
const SCOPE_SIGNED_SINCE = "2020-12-06";
const PERMISSIONS = /^[racwdxltmeiyfop]+$/;
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ["skoid", "user delegation signatures"],
  ["si", "stored access policies"],
  ["ses", "encryption scopes"],
]);
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?Z)?$/;

/** Fields of service and account signatures, by their names in the query. */
export type SasFields = ReadonlyMap<string, string>;

/** A signature whose form is right; `requireSas` says whether it holds. */
export interface Sas {
  readonly kind: "account" | "service";
  readonly fields: SasFields;
  /** The version that it was made for. */
  readonly version: string;
  /** Letters, one per permission. */
  readonly permissions: string;
}

export interface SasTarget {
  readonly account: string;
  readonly container: string;
  /** Undefined for a request to the container itself. */
  readonly blob: string | undefined;
}

/** Where the request came from, as far as a signature can restrict it. */
export interface SasOrigin {
  /** Address of the client. */
  readonly address: string;
  readonly isSecure: boolean;
  readonly now: Date;
}

/** Reads the signature of a query. Refuses, with 403, a form that is not understood. */
export function parseSas(fields: SasFields): Sas {
  refuseUnsupported(fields);
  const version = required(fields, "sv");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(version) || version < SIGNED_VERSION_MIN) {
    const said = `sv is "${version}"; signatures are understood from ${SIGNED_VERSION_MIN} on.`;
    throw failed(said);
  }
  const permissions = required(fields, "sp");
  if (!PERMISSIONS.test(permissions)) throw failed(`sp is "${permissions}", which is no set.`);
  const kind = fields.has("ss") || fields.has("srt") ? "account" : "service";
  for (const name of kind === "account" ? ["ss", "srt", "se"] : ["sr", "se"]) {
    required(fields, name);
  }
  return { kind, fields, version, permissions };
}

function refuseUnsupported(fields: SasFields): void {
  for (const [name, what] of UNSUPPORTED) {
    if (fields.has(name)) throw unsupported(name, what);
  }
  if (fields.get("sr") === "d") throw unsupported("sr=d", "signatures of directories");
}

/** Refuses, with 403, a signature that no key of the account made or that does not hold here. */
export function requireSas(
  sas: Sas,
  keys: readonly Uint8Array[],
  target: SasTarget,
  origin: SasOrigin,
): void {
  const given = Buffer.from(required(sas.fields, "sig"), "base64");
  const texts =
    sas.kind === "account" ? [accountString(sas, target.account)] : serviceStrings(sas, target);
  const holds = texts.some((text) => keys.some((key) => isSignature(given, key, text)));
  if (!holds) {
    throw failed(
      `sig is not the signature of this token's fields for this resource under a key of the ` +
        `account ${target.account}.`,
    );
  }
  requireTimes(sas.fields, origin.now);
  requireProtocol(sas.fields.get("spr"), origin.isSecure);
  requireAddress(sas.fields.get("sip"), origin.address);
}

/** Fields joined by line feeds; an absent one is an empty line. */
function joined(fields: SasFields, names: readonly string[]): string {
  return names.map((name) => fields.get(name) ?? "").join("\n");
}

function accountString({ fields, version }: Sas, account: string): string {
  const names = ["sp", "ss", "srt", "st", "se", "sip", "spr", "sv"];
  if (version >= SCOPE_SIGNED_SINCE) names.push("ses");
  return `${account}\n${joined(fields, names)}\n`;
}

function serviceStrings({ fields, version }: Sas, target: SasTarget): string[] {
  const ofContainer = `/blob/${target.account}/${target.container}`;
  const isOfContainer = fields.get("sr") === "c";
  if (!isOfContainer && target.blob === undefined) return [];
  const resource = isOfContainer ? ofContainer : `${ofContainer}/${target.blob}`;
  const named = version >= RESOURCE_SIGNED_SINCE ? ["sr", "snapshot"] : [];
  const scoped = version >= SCOPE_SIGNED_SINCE ? ["ses"] : [];
  const head = joined(fields, ["sp", "st", "se"]);
  const tail = ["si", "sip", "spr", "sv", ...named, ...scoped];
  const overrides = ["rscc", "rscd", "rsce", "rscl", "rsct"];
  return [`${head}\n${resource}\n${joined(fields, [...tail, ...overrides])}`];
}

function requireTimes(fields: SasFields, now: Date): void {
  const start = fields.get("st") ?? "";
  if (start !== "" && timeOf("st", start) > now.getTime()) {
    throw failed(`The signature is valid from ${start} (st); it is ${now.toISOString()}.`);
  }
  const end = required(fields, "se");
  if (timeOf("se", end) <= now.getTime()) {
    throw failed(`The signature was valid until ${end} (se); it is ${now.toISOString()}.`);
  }
}

function timeOf(name: string, text: string): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw failed(`${name} is "${text}", which is no UTC time.`);
  return time;
}

function requireProtocol(allowed: string | undefined, isSecure: boolean): void {
  if (allowed === undefined || allowed === "" || allowed === "https,http") return;
  if (allowed === "https" && isSecure) return;
  const said = `The signature allows ${allowed} only (spr), and the request came over http.`;
  throw new Problem(403, "AuthorizationProtocolMismatch", said);
}

function requireAddress(range: string | undefined, sent: string): void {
  if (range === undefined || range === "") return;
  const address = sent.replace(/^::ffff:/i, "");
  if (range === address || isWithin(address, range)) return;
  const said = `The signature allows the addresses ${range} (sip), not ${address}.`;
  throw new Problem(403, "AuthorizationSourceIPMismatch", said);
}

/** Both ends of a range belong to it. */
function isWithin(address: string, range: string): boolean {
  const [first = "", last = ""] = range.split("-");
  if (![first, last, address].every((one) => isIPv4(one))) return false;
  const number = numberOf(address);
  return numberOf(first) <= number && number <= numberOf(last);
}

function numberOf(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

function required(fields: SasFields, name: string): string {
  const value = fields.get(name) ?? "";
  if (value === "") throw failed(`The signature lacks the field ${name}.`);
  return value;
}

function unsupported(field: string, what: string): Problem {
  return failed(`The signature uses ${field}; this version of Atoll does not have ${what} yet.`);
}

function failed(detail: string): Problem {
  return new Problem(403, "AuthenticationFailed", "The shared access signature was refused.", {
    fields: { AuthenticationErrorDetail: detail },
  });
}

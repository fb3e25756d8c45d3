import { isIPv4 } from "node:net";
import { Problem } from "../problem.ts";
import { failedSas, sasTime } from "./sas-fields.ts";
import type { Sas } from "./sas.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a user delegation key may be valid. */
export const DELEGATION_KEY_MAX_MS = 7 * DAY_MS;

/** Where the request came from, as far as a signature can restrict it. */
export interface SasOrigin {
  /** Address of the client. */
  readonly address: string;
  readonly isSecure: boolean;
  readonly now: Date;
}

/** Refuses, with 403, a request that the signature was not made for: too late, from elsewhere. */
export function requireSasLimits(sas: Sas, { now, isSecure, address }: SasOrigin): void {
  requireTimes("The signature", { st: sas.start, se: sas.expiry }, now);
  if (sas.kind === "delegation") requireDelegationTimes(sas, now);
  requireProtocol(sas.fields.get("spr"), isSecure);
  requireAddress(sas.fields.get("sip"), address);
}

function requireDelegationTimes({ fields }: Sas, now: Date): void {
  const skt = fields.get("skt") ?? "";
  const ske = fields.get("ske") ?? "";
  requireTimes("The user delegation key", { skt, ske }, now);
  if (timeOf("ske", ske) - timeOf("skt", skt) > DELEGATION_KEY_MAX_MS) {
    throw failedSas("The user delegation key (skt, ske) is valid for more than 7 days.");
  }
}

/** Two times by their fields, the start, which may be empty, first. */
function requireTimes(what: string, times: Readonly<Record<string, string>>, now: Date): void {
  const [start, end] = Object.entries(times);
  if (start !== undefined && start[1] !== "" && timeOf(...start) > now.getTime()) {
    throw failedSas(`${what} is valid from ${start[1]} (${start[0]}); it is ${now.toISOString()}.`);
  }
  if (end !== undefined && timeOf(...end) <= now.getTime()) {
    throw failedSas(`${what} was valid until ${end[1]} (${end[0]}); it is ${now.toISOString()}.`);
  }
}

function timeOf(name: string, text: string): number {
  const time = sasTime(text);
  if (time === undefined) throw failedSas(`${name} is "${text}", which is no UTC time.`);
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

import {
  accountString,
  resourceString,
  SCOPE_SIGNED_SINCE,
  type SasTarget,
  type SentFields,
} from "./sas-strings.ts";
import { failedSas, type SasFields } from "./sas-fields.ts";
import { isSignature } from "./shared-key.ts";

/** The oldest version whose strings to sign are known here. */
const SIGNED_VERSION_MIN = "2015-04-05";
const DELEGATION_VERSION_MIN = "2018-11-09";
const PERMISSIONS = /^[racwdxltmeiyfop]+$/;
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ["suoid", "access lists of single files"],
  ["sdd", "signatures of directories"],
]);
/** The values of `sr`, and the parameter that then has to say which one. */
const INSTANCE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ["b", ""],
  ["bs", "snapshot"],
  ["bv", "versionid"],
  ["c", ""],
]);
const REQUIRED = {
  account: ["ss", "srt", "sp", "se"],
  service: ["sr"],
  delegation: ["sr", "sp", "se", "skoid", "sktid", "skt", "ske", "sks", "skv"],
} as const;

/**
 * A signature whose form is right. `requireSignature` says whether somebody with the key made it,
 * `requireSasLimits` whether it holds for a request.
 */
export interface Sas {
  /** By the key of an account, for all of it or for one resource, or by a principal's key. */
  readonly kind: "account" | "delegation" | "service";
  readonly fields: SasFields;
  /** The version that it was made for. */
  readonly version: string;
  /** Letters, one per permission. */
  readonly permissions: string;
  /** Times as written; empty where there is none. */
  readonly start: string;
  readonly expiry: string;
  /** Id of the stored policy that supplies what the signature leaves out; empty without one. */
  readonly policy: string;
}

/** What a stored policy supplies. */
export type SasPolicy = Partial<Pick<Sas, "expiry" | "permissions" | "start">>;

/** Reads the signature of a query. Refuses, with 403, a form that is not understood. */
export function parseSas(fields: SasFields): Sas {
  const kind = kindOf(fields);
  const version = versionOf(fields, kind);
  requireForm(fields, kind);
  const of = (name: string) => fields.get(name) ?? "";
  const [permissions = "", start = "", expiry = "", policy = ""] = ["sp", "st", "se", "si"].map(of);
  const sas = { kind, fields, version, permissions, start, expiry, policy };
  if (policy === "") requireComplete(sas);
  return sas;
}

function requireForm(fields: SasFields, kind: Sas["kind"]): void {
  for (const [name, what] of UNSUPPORTED) {
    if (fields.has(name)) throw unsupported(name, what);
  }
  requireSignedScope(fields);
  if (fields.get("sr") === "d") throw unsupported("sr=d", "signatures of directories");
  for (const name of REQUIRED[kind]) required(fields, name);
  if (kind !== "account") requireResource(fields);
  if (kind === "delegation" && fields.get("sks") !== "b") {
    throw failedSas(`sks is "${fields.get("sks")}"; the key has to be for blobs, which is b.`);
  }
  if (fields.has("si") && kind !== "service") {
    throw failedSas("si names a stored policy, which only signatures of a service can have.");
  }
}

/** What is not signed anybody could add. */
function requireSignedScope(fields: SasFields): void {
  if (!fields.has("ses") || (fields.get("sv") ?? "") >= SCOPE_SIGNED_SINCE) return;
  throw failedSas(`ses, which names an encryption scope, is signed from ${SCOPE_SIGNED_SINCE} on.`);
}

/** A signature for a snapshot or a version opens nothing but the one that the URL names. */
function requireResource(fields: SasFields): void {
  const resource = fields.get("sr") ?? "";
  const instance = INSTANCE_PARAMETERS.get(resource);
  if (instance === undefined) {
    const known = [...INSTANCE_PARAMETERS.keys()].join(", ");
    throw failedSas(`sr is "${resource}", which is none of ${known}.`);
  }
  if (instance !== "" && !fields.has(instance)) {
    throw failedSas(`sr is "${resource}", and the URL has no ${instance}.`);
  }
}

/** The signature with what the stored policy that it names supplies. One of them says each. */
export function withPolicy(sas: Sas, policy: SasPolicy): Sas {
  for (const [field, own, stored] of [
    ["sp", sas.permissions, policy.permissions],
    ["st", sas.start, policy.start],
    ["se", sas.expiry, policy.expiry],
  ] as const) {
    if (own !== "" && stored !== undefined) {
      throw failedSas(`Both the signature and its stored policy ${sas.policy} have ${field}.`);
    }
  }
  const merged = {
    ...sas,
    permissions: policy.permissions ?? sas.permissions,
    start: policy.start ?? sas.start,
    expiry: policy.expiry ?? sas.expiry,
  };
  requireComplete(merged);
  return merged;
}

/** Refuses, with 403, a signature that none of the keys has made for this target. */
export function requireSignature(
  sas: Sas,
  keys: readonly Uint8Array[],
  target: SasTarget,
  sent: SentFields,
): void {
  const given = Buffer.from(required(sas.fields, "sig"), "base64");
  const { fields, version, kind } = sas;
  const text =
    kind === "account"
      ? accountString(fields, version, target.account)
      : resourceString({ fields, version, isDelegation: kind === "delegation" }, target, sent);
  if (text !== undefined && keys.some((key) => isSignature(given, key, text))) return;
  const whose = kind === "delegation" ? "the user delegation key" : "a key";
  throw failedSas(
    `sig is not the signature of this token's fields for this resource under ${whose} of the ` +
      `account ${target.account}.`,
  );
}

function requireComplete({ permissions, expiry }: Sas): void {
  if (expiry === "") throw failedSas("The signature has no expiry (se), and no policy says one.");
  if (permissions === "") throw failedSas("The signature has no permissions (sp), and no policy.");
  if (!PERMISSIONS.test(permissions)) throw failedSas(`sp is "${permissions}", which is no set.`);
}

function kindOf(fields: SasFields): Sas["kind"] {
  if (fields.has("ss") || fields.has("srt")) return "account";
  return fields.has("skoid") ? "delegation" : "service";
}

function versionOf(fields: SasFields, kind: Sas["kind"]): string {
  const version = required(fields, "sv");
  const oldest = kind === "delegation" ? DELEGATION_VERSION_MIN : SIGNED_VERSION_MIN;
  if (/^\d{4}-\d{2}-\d{2}$/.test(version) && version >= oldest) return version;
  throw failedSas(`sv is "${version}"; such signatures are understood from ${oldest} on.`);
}

function required(fields: SasFields, name: string): string {
  const value = fields.get(name) ?? "";
  if (value === "") throw failedSas(`The signature lacks the field ${name}.`);
  return value;
}

function unsupported(field: string, what: string) {
  return failedSas(`The signature uses ${field}; this version of Atoll does not have ${what} yet.`);
}

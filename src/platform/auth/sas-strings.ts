import type { SasFields } from "./sas-fields.ts";

const RESOURCE_SIGNED_SINCE = "2018-11-09";
const AGENTS_SIGNED_SINCE = "2020-02-10";
export const SCOPE_SIGNED_SINCE = "2020-12-06";
const DELEGATED_USER_SIGNED_SINCE = "2025-07-05";
const REQUEST_SIGNED_SINCE = "2026-04-06";

export interface SasTarget {
  readonly account: string;
  /** Empty for a request to the account itself. */
  readonly container: string;
  /** Undefined for a request to the container itself. */
  readonly blob: string | undefined;
}

/** Values that a signature can be bound to. */
export interface SentFields {
  /** Header names are as sent, with their values behind them. */
  readonly rawHeaders: readonly string[];
  readonly query: ReadonlyMap<string, string>;
}

interface ResourceSignature {
  readonly fields: SasFields;
  readonly version: string;
  readonly isDelegation: boolean;
}

/** What a signature for an account signs. */
export function accountString(fields: SasFields, version: string, account: string): string {
  const names = ["sp", "ss", "srt", "st", "se", "sip", "spr", "sv"];
  if (version >= SCOPE_SIGNED_SINCE) names.push("ses");
  return `${[account, ...values(fields, names)].join("\n")}\n`;
}

/**
 * What a signature for a container or blob signs; an absent field is an empty line. Undefined when
 * it is for a blob and the request is not.
 */
export function resourceString(
  { fields, version, isDelegation }: ResourceSignature,
  { account, container, blob }: SasTarget,
  sent: SentFields,
): string | undefined {
  const isOfContainer = fields.get("sr") === "c";
  if (container === "" || (!isOfContainer && blob === undefined)) return undefined;
  const signer = isDelegation ? signerNames(version) : ["si"];
  const since = (oldest: string, lines: readonly string[]) => (version >= oldest ? lines : []);
  return [
    ...values(fields, ["sp", "st", "se"]),
    `/blob/${account}/${container}${isOfContainer ? "" : `/${blob}`}`,
    ...values(fields, [...signer, "sip", "spr", "sv"]),
    ...since(RESOURCE_SIGNED_SINCE, [fields.get("sr") ?? "", instanceOf(fields)]),
    ...since(SCOPE_SIGNED_SINCE, values(fields, ["ses"])),
    ...(isDelegation ? since(REQUEST_SIGNED_SINCE, requestLines(fields, sent)) : []),
    ...values(fields, ["rscc", "rscd", "rsce", "rscl", "rsct"]),
  ].join("\n");
}

function signerNames(version: string): string[] {
  const names = ["skoid", "sktid", "skt", "ske", "sks", "skv"];
  if (version >= AGENTS_SIGNED_SINCE) names.push("saoid", "suoid", "scid");
  if (version >= DELEGATED_USER_SIGNED_SINCE) names.push("skdutid", "sduoid");
  return names;
}

/** Only a signature for a snapshot or version signs which one. */
function instanceOf(fields: SasFields): string {
  const kind = fields.get("sr");
  if (kind === "bs") return fields.get("snapshot") ?? "";
  return kind === "bv" ? (fields.get("versionid") ?? "") : "";
}

/** The headers and query parameters that the signature names, as the request has them. */
function requestLines(fields: SasFields, { rawHeaders, query }: SentFields): string[] {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.set(rawHeaders[at]?.toLowerCase() ?? "", rawHeaders[at + 1] ?? "");
  }
  const namesOf = (field: string) => {
    const list = fields.get(field) ?? "";
    return list === "" ? [] : list.split(",");
  };
  const inHeaders = namesOf("srh").map(
    (name) => `${name}:${headers.get(name.toLowerCase()) ?? ""}\n`,
  );
  const inQuery = namesOf("srq").map((name) => `\n${name}:${query.get(name.toLowerCase()) ?? ""}`);
  return [inHeaders.join(""), inQuery.join("")];
}

function values(fields: SasFields, names: readonly string[]): string[] {
  return names.map((name) => fields.get(name) ?? "");
}

import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { SINCE } from "./versions.ts";

/** Headers that ask for what is not there yet. To ignore one would be to break its promise. */
const MISSING_HEADERS: readonly string[] = `
  x-svc-access-tier-if-modified-since x-svc-access-tier-if-unmodified-since
  x-svc-immutability-policy-until-date x-svc-immutability-policy-mode x-svc-legal-hold
  x-svc-expiry-option x-svc-expiry-time x-svc-structured-body x-svc-structured-content-length
  x-svc-upn
`
  .trim()
  .split(/\s+/);
const MISSING_PARAMETERS: readonly string[] = ["versionid", "sharesnapshot"];

/** Operations that make a blob with its content. */
const MAKING: readonly string[] = [
  "Put Blob",
  "Put Block List",
  "Copy Blob, Copy Blob From URL and Put Blob From URL",
];
const PAGE_WRITES: readonly string[] = ["Put Page", "Put Page From URL"];
const PUTTING: readonly string[] = [
  ...MAKING,
  "Append Block",
  "Append Block From URL",
  "Put Block",
  "Put Block From URL",
  ...PAGE_WRITES,
  "Set Blob Metadata",
  "Snapshot Blob",
];
/** Operations that a customer's key comes with. */
const KEYED: readonly string[] = [
  ...PUTTING,
  "Get Blob",
  "Get Blob Metadata",
  "Get Blob Properties",
  "Set Blob Tier",
];
const WHOLE_COPIES: readonly string[] = ["Copy Blob, Copy Blob From URL and Put Blob From URL"];
/** Operations that read a source with a key of its own. */
const COPYING: readonly string[] = [
  ...WHOLE_COPIES,
  "Append Block From URL",
  "Put Block From URL",
  "Put Page From URL",
];

/** Headers that only some operations have. */
const HEADERS_OF: readonly (readonly [string, readonly string[]])[] = [
  ["x-svc-access-tier", [...MAKING, "Set Blob Tier"]],
  ["x-svc-rehydrate-priority", ["Set Blob Tier"]],
  ["x-svc-tags", MAKING],
  ["x-svc-source-if-tags", COPYING],
  ["x-svc-source-lease-id", WHOLE_COPIES],
  ["x-svc-copy-source-tag-option", WHOLE_COPIES],
  ...keyHeaders("x-svc-", KEYED),
  ...keyHeaders("x-svc-source-", COPYING),
  ["x-svc-encryption-scope", PUTTING],
  ["x-svc-default-encryption-scope", ["Create Container"]],
  ["x-svc-deny-encryption-scope-override", ["Create Container"]],
  ["x-svc-blob-sequence-number", ["Put Blob", "Set Blob Properties"]],
  ["x-svc-if-sequence-number-le", PAGE_WRITES],
  ["x-svc-if-sequence-number-lt", PAGE_WRITES],
  ["x-svc-if-sequence-number-eq", PAGE_WRITES],
];

/** The three headers that a key comes in, each with the same. */
function keyHeaders<Value>(prefix: string, value: Value): readonly (readonly [string, Value])[] {
  return ["key", "key-sha256", "algorithm"].map((name) => [`${prefix}encryption-${name}`, value]);
}

/** Headers that older versions do not know. */
const HEADERS_SINCE: readonly (readonly [string, string])[] = [
  ["x-svc-content-crc64", SINCE.crc64],
  ["x-svc-source-content-crc64", SINCE.crc64],
  ["x-svc-range-get-content-crc64", SINCE.crc64],
  ["x-svc-copy-source-authorization", SINCE.sourceAuthorization],
  ["x-svc-file-request-intent", SINCE.fileRequestIntent],
  ...keyHeaders("x-svc-", SINCE.encryption),
  ...keyHeaders("x-svc-source-", SINCE.sourceKey),
  ["x-svc-encryption-scope", SINCE.encryption],
  ["x-svc-default-encryption-scope", SINCE.containerScope],
  ["x-svc-deny-encryption-scope-override", SINCE.containerScope],
  ["x-svc-access-tier", SINCE.tier],
  ["x-svc-tags", SINCE.tags],
  ["x-svc-if-tags", SINCE.tags],
  ["x-svc-source-if-tags", SINCE.tags],
  ["x-svc-copy-source-tag-option", SINCE.sourceTags],
];

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly query: ReadonlyMap<string, string>;
}

/** Refuses, by its name, what the request asks for and this service does not have. */
export function refuseMissingFeatures(
  { headers, query }: Asked,
  version: string,
  operation: string,
): void {
  for (const name of MISSING_HEADERS) {
    if (headers[name] !== undefined) throw notImplemented(`the header ${name}`);
  }
  refuseElsewhere(headers, operation);
  for (const name of MISSING_PARAMETERS) {
    if (query.has(name)) throw notImplemented(`the query parameter ${name}`);
  }
  for (const [name, since] of HEADERS_SINCE) {
    if (headers[name] !== undefined && version < since) {
      const said = `The header ${name} exists from version ${since} on, not in ${version}.`;
      throw new Problem(400, "UnsupportedHeader", said, { fields: { HeaderName: name } });
    }
  }
}

function refuseElsewhere(headers: IncomingHttpHeaders, operation: string): void {
  for (const [name, operations] of HEADERS_OF) {
    if (headers[name] === undefined || operations.includes(operation)) continue;
    throw notImplemented(`the header ${name} of ${operation}`);
  }
}

/** 501, naming what is missing. */
export function notImplemented(what: string): Problem {
  const said = `This version of Atoll does not have ${what} yet.`;
  return new Problem(501, "APINotImplemented", said);
}

import { Problem } from "#platform/problem.ts";
import type { AnswerHeaders, Call } from "../call.ts";
import { parseMd5 } from "../protocol/checksums.ts";
import { headerValue } from "../protocol/header-values.ts";
import type { BlobRow } from "../store.ts";

export type ContentProperties = Pick<
  BlobRow,
  | "cacheControl"
  | "contentDisposition"
  | "contentEncoding"
  | "contentLanguage"
  | "contentMd5"
  | "contentType"
>;

const VISIBLE_ASCII = /^[\x20-\x7e]*$/;
const DEFAULT_TYPE = "application/octet-stream";

/** The properties that a request gives a blob: by the protocol's headers, else by HTTP's. */
export function contentProperties({ headers }: Call): ContentProperties {
  return propertiesOf(
    headers,
    (name) => headerValue(headers, `x-svc-blob-${name}`) ?? headerValue(headers, name) ?? null,
  );
}

/** The same by the protocol's headers alone. */
export function ownContentProperties({ headers }: Call): ContentProperties {
  return propertiesOf(headers, (name) => headerValue(headers, `x-svc-blob-${name}`) ?? null);
}

function propertiesOf(
  headers: Call["headers"],
  given: (name: string) => string | null,
): ContentProperties {
  const md5 = headerValue(headers, "x-svc-blob-content-md5");
  parseMd5("x-svc-blob-content-md5", md5);
  return {
    contentType: given("content-type") ?? DEFAULT_TYPE,
    contentEncoding: given("content-encoding"),
    contentLanguage: given("content-language"),
    contentDisposition: headerValue(headers, "x-svc-blob-content-disposition") ?? null,
    cacheControl: given("cache-control"),
    contentMd5: md5 ?? null,
  };
}

/** Fields of a shared access signature that replace the properties in the answer to a read. */
const OVERRIDES: readonly (readonly [string, string])[] = [
  ["rscc", "cache-control"],
  ["rscd", "content-disposition"],
  ["rsce", "content-encoding"],
  ["rscl", "content-language"],
  ["rsct", "content-type"],
];

export function contentHeaders(blob: ContentProperties, call: Call): AnswerHeaders {
  const headers: Record<string, string | undefined> = {
    "content-type": blob.contentType ?? undefined,
    "content-encoding": blob.contentEncoding ?? undefined,
    "content-language": blob.contentLanguage ?? undefined,
    "content-disposition": blob.contentDisposition ?? undefined,
    "cache-control": blob.cacheControl ?? undefined,
  };
  if (!call.isBySignature) return headers;
  for (const [field, name] of OVERRIDES) {
    headers[name] = overrideOf(field, call.query.get(field)) ?? headers[name];
  }
  return headers;
}

function overrideOf(field: string, value: string | undefined): string | undefined {
  if (value === undefined || VISIBLE_ASCII.test(value)) return value;
  const said = `${field} holds a character that no header may have.`;
  throw new Problem(400, "InvalidQueryParameterValue", said, {
    fields: { QueryParameterName: field, QueryParameterValue: value, Reason: said },
  });
}

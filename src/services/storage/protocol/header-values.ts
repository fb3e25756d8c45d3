import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";

/** A header's value; undefined when it was not sent. */
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

export function requiredHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headerValue(headers, name) ?? "";
  if (value !== "") return value;
  throw new Problem(400, "MissingRequiredHeader", `The header ${name} is required.`, {
    fields: { HeaderName: name },
  });
}

/** A header that holds a whole number of bytes, at least 0. */
export function countHeader(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = headerValue(headers, name);
  if (value === undefined) return undefined;
  const count = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw invalidHeader(name, value, "which is no whole number of bytes");
}

/** 400, naming the header and the value seen; `why` ends the sentence. */
export function invalidHeader(name: string, value: string, why: string): Problem {
  return new Problem(400, "InvalidHeaderValue", `${name} is "${value}", ${why}.`, {
    fields: { HeaderName: name, HeaderValue: value },
  });
}

/** Bytes of the body, which every request that brings one has to announce. */
export function contentLength(headers: IncomingHttpHeaders): number {
  const length = countHeader(headers, "content-length");
  if (length !== undefined) return length;
  throw new Problem(
    411,
    "MissingContentLengthHeader",
    "The header Content-Length is required, 0 for a request without a body.",
  );
}

/** 413 with the limit, as clients look for it. */
export function tooLarge(what: string, bytes: number, bytesMax: number): Problem {
  return new Problem(
    413,
    "RequestBodyTooLarge",
    `${what} has ${bytes} bytes; at this version at most ${bytesMax} are allowed.`,
    { fields: { MaxLimit: String(bytesMax) } },
  );
}

import type { IncomingHttpHeaders } from "node:http";
import { headerValue, invalidHeader } from "../protocol/header-values.ts";

/** With or without hyphens and brackets. */
const GUID = /^[{(]?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})[)}]?$/i;

/** The id of a lease in a header, in lower case with hyphens; undefined when it was not sent. */
export function leaseIdHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headerValue(headers, name);
  if (value === undefined) return undefined;
  const parts = GUID.exec(value)?.slice(1);
  if (parts === undefined) throw invalidHeader(name, value, "which is no GUID");
  return parts.join("-").toLowerCase();
}

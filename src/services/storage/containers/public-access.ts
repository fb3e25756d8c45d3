import { headerValue, invalidHeader } from "../protocol/header-values.ts";
import type { IncomingHttpHeaders } from "node:http";

/** What everybody may read, as a request says it; null for nothing. */
export function publicAccessOf(headers: IncomingHttpHeaders): string | null {
  const value = headerValue(headers, "x-svc-blob-public-access");
  if (value === undefined) return null;
  if (value === "blob" || value === "container") return value;
  throw invalidHeader("x-svc-blob-public-access", value, "which is neither blob nor container");
}

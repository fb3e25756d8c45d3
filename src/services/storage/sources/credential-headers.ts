import type { CopySource } from "./copy-source.ts";

/** Of the protocol, in which another server is asked: it takes tokens, tags and the intent. */
const VERSION = "2025-07-05";

/** What shows another server that the source may be read. A signature in the URL needs none. */
export function credentialHeaders({
  authorization,
  intent,
}: Pick<CopySource, "authorization" | "intent">): Record<string, string> {
  if (authorization === undefined && intent === undefined) return {};
  return {
    "x-ms-version": VERSION,
    ...(authorization !== undefined && { authorization }),
    ...(intent !== undefined && { "x-ms-file-request-intent": intent }),
  };
}

import { isRecord } from "../instance.ts";

/** What a token says of its bearer, unchecked: for showing, never for deciding. */
export function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  const content: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
  if (isRecord(content)) return content;
  throw new Error("The token has no claims.");
}

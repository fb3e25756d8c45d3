import { createHash } from "node:crypto";

/** The three headers that a key comes in. */
export function keyHeaders(key: Uint8Array, prefix = "x-svc-"): Record<string, string> {
  return {
    [`${prefix}encryption-key`]: Buffer.from(key).toString("base64"),
    [`${prefix}encryption-key-sha256`]: createHash("sha256").update(key).digest("base64"),
    [`${prefix}encryption-algorithm`]: "AES256",
  };
}

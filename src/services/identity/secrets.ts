import { createHash } from "node:crypto";
import type { Environment } from "#platform/environment.ts";

const SECRET_BYTES = 32;

/** 256 random bits as text that needs no escaping anywhere. */
export function newSecret({ randomBytes }: Environment): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * How a secret of ours is stored and looked up. It is random and long, so that one round of
 * SHA-256 is enough; passwords, which people choose, are hashed by scrypt.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

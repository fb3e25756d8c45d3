import { createHash } from "node:crypto";
import { invalidRequest, type Parameters } from "./parameters.ts";

/** A challenge by S256: a SHA-256 hash in base64url. */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w\-.~]{43,128}$/;

/** The challenge of an authorization request (RFC 7636); `isRequired` for public clients. */
export function readChallenge(parameters: Parameters, isRequired: boolean): string | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === undefined && method === undefined) {
    if (!isRequired) return undefined;
    throw invalidRequest("A public client needs a code_challenge by the method S256.");
  }
  // Left out, the method would be `plain`, which shows the secret to whoever sees the request.
  if (method !== "S256") {
    throw invalidRequest(
      `The code_challenge_method "${method ?? "plain"}" is not served; S256 is.`,
    );
  }
  if (challenge === undefined || !CHALLENGE.test(challenge)) {
    throw invalidRequest("The code_challenge is not a SHA-256 hash in base64url (43 characters).");
  }
  return challenge;
}

/** Whether the verifier is the one that the challenge was made from; none is needed for none. */
export function isProven(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined;
  if (verifier === undefined || !VERIFIER.test(verifier)) return false;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

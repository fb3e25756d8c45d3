import { errors } from "jose";
import { Problem } from "#platform/problem.ts";

export function invalidToken(sentence: string): Problem {
  return new Problem(401, "InvalidAuthenticationToken", sentence);
}

/** The refusal of a token for what its check found. It never repeats the token. */
export function refusalOf(error: unknown, audiences: readonly string[]): unknown {
  if (error instanceof errors.JWTExpired) return invalidToken("The token has expired.");
  if (error instanceof errors.JWTClaimValidationFailed) return ofClaim(error, audiences);
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return invalidToken("The signature of the token is not one of its issuer's keys.");
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return invalidToken("The token is signed by an algorithm that its issuer's key is not for.");
  }
  if (error instanceof errors.JOSEError) {
    return invalidToken("The token is not a signed JSON Web Token.");
  }
  return error;
}

function ofClaim(
  { claim, reason, payload }: errors.JWTClaimValidationFailed,
  audiences: readonly string[],
): Problem {
  if (claim === "nbf") return invalidToken("The token is not valid yet.");
  if (claim === "aud" && reason !== "missing") {
    const seen = JSON.stringify(payload.aud).slice(0, SHOWN_MAX);
    return invalidToken(`The token is for ${seen}; here it has to be for ${audiences.join(", ")}.`);
  }
  return invalidToken(`The claim ${claim} of the token is ${reason}.`);
}

const SHOWN_MAX = 200;

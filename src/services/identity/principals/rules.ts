import { Problem } from "#platform/problem.ts";
import type { PrincipalChanges } from "../schema.ts";
import type { Kind } from "./principal.ts";

const NAME_LENGTH_MAX = 128;
const DISPLAY_NAME_LENGTH_MAX = 256;
const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;
const REDIRECT_URIS_MAX = 50;
const REDIRECT_URI_LENGTH_MAX = 2048;
const LINK_LENGTH_MAX = 1024;
export const DESCRIPTION_LENGTH_MAX = 256;

/** No slash and no colon: a name can never be taken for the URL of a resource. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._@+'()-]*$/u;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::[1-9]\d{0,4})?(?:[/?]|$)/;

/** Which fields belong to which kind; the others belong to all. */
const FIELDS: Readonly<Record<string, readonly Kind[]>> = {
  password: ["User"],
  redirectUris: ["ServicePrincipal"],
  publicClient: ["ServicePrincipal"],
  implicitFlow: ["ServicePrincipal"],
  externalIssuer: ["User", "ServicePrincipal"],
  externalSubject: ["User", "ServicePrincipal"],
};

/** Refuses what breaks a rule, with the field, the limit and the value. */
export function checkChanges(kind: Kind, changes: PrincipalChanges): void {
  for (const [field, kinds] of Object.entries(FIELDS)) {
    if (!(field in changes) || kinds.includes(kind)) continue;
    throw invalid(`The field ${field} is for the kinds ${kinds.join(", ")}; this is a ${kind}.`);
  }
  if (changes.name !== undefined) checkName(changes.name);
  checkLength("displayName", changes.displayName, 1, DISPLAY_NAME_LENGTH_MAX);
  checkPassword(changes.password ?? undefined);
  checkLength("externalIssuer", changes.externalIssuer ?? undefined, 1, LINK_LENGTH_MAX);
  checkLength("externalSubject", changes.externalSubject ?? undefined, 1, LINK_LENGTH_MAX);
  checkRedirectUris(changes.redirectUris ?? []);
}

export function checkLength(
  field: string,
  value: string | undefined,
  min: number,
  max: number,
): void {
  if (value === undefined || (value.length >= min && value.length <= max)) return;
  throw invalid(`The ${field} has ${value.length} characters; it takes ${min} to ${max}.`);
}

function checkName(name: string): void {
  checkLength("name", name, 1, NAME_LENGTH_MAX);
  if (NAME.test(name) && name.trim() === name) return;
  throw invalid(
    `The name "${name}" is not taken: letters, digits, spaces and . _ @ + ' ( ) - are, ` +
      "starting with a letter, a digit or _.",
  );
}

/** The length is told and never the password. */
function checkPassword(password: string | undefined): void {
  checkLength("password", password, PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX);
}

function checkRedirectUris(uris: readonly string[]): void {
  if (uris.length > REDIRECT_URIS_MAX) {
    throw invalid(`redirectUris has ${uris.length} entries; ${REDIRECT_URIS_MAX} is the most.`);
  }
  for (const uri of uris) {
    checkLength("redirect URI", uri, 1, REDIRECT_URI_LENGTH_MAX);
    if (isRedirectUri(uri)) continue;
    throw invalid(
      `The redirect URI "${uri}" is not taken: it has to be https, or http on a loopback ` +
        "address, without user information and without a fragment.",
    );
  }
}

function isRedirectUri(uri: string): boolean {
  if (!URL.canParse(uri) || uri.includes("#") || /[\s\\]/.test(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || LOOPBACK.test(uri);
}

export function invalid(sentence: string): Problem {
  return new Problem(400, "InvalidRequest", sentence);
}

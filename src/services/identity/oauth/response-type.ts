import { Problem } from "#platform/problem.ts";
import { invalidRequest, type Parameters } from "./parameters.ts";

/** What the authorization endpoint gives out itself: a set, so that order does not matter. */
export type ResponsePart = "code" | "id_token" | "token";
export const RESPONSE_TYPES = ["code", "token", "id_token", "id_token token"];

export type ResponseMode = "form_post" | "fragment" | "query";
const MODES: readonly ResponseMode[] = ["form_post", "fragment", "query"];

export function readResponseType(parameters: Parameters): ReadonlySet<ResponsePart> {
  const text = parameters.get("response_type");
  if (text === undefined) throw invalidRequest("The parameter response_type is required.");
  const words = text.split(" ");
  if (words.includes("") || new Set(words).size !== words.length) {
    throw invalidRequest(`The response_type "${text}" is malformed.`);
  }
  const known = RESPONSE_TYPES.includes(words.toSorted().join(" "));
  if (known) return new Set(words.filter(isPart));
  throw new Problem(
    400,
    "unsupported_response_type",
    `The response_type "${text}" is not served; one of ${RESPONSE_TYPES.join(", ")} is.`,
  );
}

/** How the answer travels. Tokens never travel in a query, which servers and proxies log. */
export function readResponseMode(
  parameters: Parameters,
  parts: ReadonlySet<ResponsePart>,
): ResponseMode {
  const text = parameters.get("response_mode");
  if (text === undefined) return defaultMode(parts);
  const mode = MODES.find((known) => known === text);
  if (mode === undefined) {
    throw invalidRequest(`The response_mode "${text}" is not served; ${MODES.join(", ")} are.`);
  }
  if (mode === "query" && !parts.has("code")) {
    throw invalidRequest("The response_mode query is not for tokens; use fragment or form_post.");
  }
  return mode;
}

export function defaultMode(parts: ReadonlySet<ResponsePart>): ResponseMode {
  return parts.has("code") ? "query" : "fragment";
}

function isPart(word: string): word is ResponsePart {
  return word === "code" || word === "id_token" || word === "token";
}

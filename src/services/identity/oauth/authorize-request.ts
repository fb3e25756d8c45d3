import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { findClient, type Client } from "./clients.ts";
import { invalidRequest, refuseRepeated, type Parameters } from "./parameters.ts";
import { readChallenge } from "./proof-key.ts";
import { isRegistered } from "./redirect-uri.ts";
import {
  defaultMode,
  readResponseMode,
  readResponseType,
  type ResponseMode,
  type ResponsePart,
} from "./response-type.ts";
import { parseTarget, type Target } from "./target.ts";

const STATE_LENGTH_MAX = 4096;
/** How `prompt` may ask: `consent` is accepted, and there is none to give. */
const PROMPTS = new Set(["none", "login", "select_account", "consent"]);

/** Where an answer goes, once it is known to be an address of the client. */
export interface Destination {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export interface AuthorizeRequest extends Destination {
  readonly parts: ReadonlySet<ResponsePart>;
  readonly mode: ResponseMode;
  readonly target: Target;
  readonly nonce: string | undefined;
  readonly prompt: ReadonlySet<string>;
  readonly loginHint: string | undefined;
  /** The sign-in may not be older, in seconds. */
  readonly maxAgeS: number | undefined;
  readonly codeChallenge: string | undefined;
}

/** Throws what is shown to the user, because there is no address that it could be sent to. */
export function readDestination(context: Context, parameters: Parameters): Destination {
  const name = parameters.get("client_id");
  if (name === undefined) throw untold(parameters, "client_id");
  const client = findClient(context.directory, name);
  if (client === undefined) throw invalidRequest(`There is no application "${name}".`);
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined) throw untold(parameters, "redirect_uri");
  if (!isRegistered(client.principal, context.authUrl(), redirectUri)) {
    throw invalidRequest(
      `The redirect_uri "${redirectUri}" is not registered for the application "${name}".`,
    );
  }
  return { client, redirectUri, state: parameters.get("state") };
}

/** Throws what is sent to the client's address. */
export function readAuthorizeRequest(
  context: Context,
  parameters: Parameters,
  destination: Destination,
): AuthorizeRequest {
  const { client, state } = destination;
  refuseRepeated(parameters);
  if (state !== undefined && state.length > STATE_LENGTH_MAX) {
    throw invalidRequest(`The state has ${state.length} characters; ${STATE_LENGTH_MAX} at most.`);
  }
  for (const name of ["request", "request_uri"]) {
    if (parameters.get(name) === undefined) continue;
    throw new Problem(400, `${name}_not_supported`, `The parameter ${name} is not served.`);
  }
  const parts = readResponseType(parameters);
  requireAllowed(client, parts);
  const nonce = parameters.get("nonce");
  if (parts.has("id_token") && nonce === undefined) {
    throw invalidRequest("The parameter nonce is required for an id_token.");
  }
  const { publicClient } = client.principal;
  return {
    ...destination,
    parts,
    mode: readResponseMode(parameters, parts),
    target: parseTarget(context, parameters),
    nonce,
    prompt: readPrompt(parameters),
    loginHint: parameters.get("login_hint"),
    maxAgeS: readMaxAge(parameters),
    codeChallenge: parts.has("code") ? readChallenge(parameters, publicClient) : undefined,
  };
}

/** How to answer a request that could not be read: as it asks, if that much can be read. */
export function modeOfRefusal(parameters: Parameters): ResponseMode {
  try {
    return readResponseMode(parameters, readResponseType(parameters));
  } catch {
    const words = parameters.get("response_type")?.split(" ") ?? [];
    return defaultMode(new Set(words.length === 1 && words[0] === "code" ? ["code"] : []));
  }
}

function requireAllowed({ principal, name }: Client, parts: ReadonlySet<ResponsePart>): void {
  if (parts.has("code") || principal.implicitFlow) return;
  throw new Problem(
    400,
    "unauthorized_client",
    `The application "${name}" may not use the implicit flow; its response_type is code.`,
  );
}

function readPrompt(parameters: Parameters): ReadonlySet<string> {
  const words = (parameters.get("prompt") ?? "").split(" ").filter((word) => word !== "");
  const unknown = words.find((word) => !PROMPTS.has(word));
  if (unknown !== undefined) throw invalidRequest(`The prompt "${unknown}" is not served.`);
  if (words.includes("none") && words.length > 1) {
    throw invalidRequest("The prompt none stands alone.");
  }
  return new Set(words);
}

function readMaxAge(parameters: Parameters): number | undefined {
  const text = parameters.get("max_age");
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidRequest(`The max_age "${text}" is not a number of seconds.`);
}

function untold({ repeated }: Parameters, name: string): Problem {
  const what = repeated.includes(name) ? "is sent more than once" : "is required";
  return invalidRequest(`The parameter ${name} ${what}.`);
}

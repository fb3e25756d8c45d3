import type { FastifyRequest } from "fastify";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import type { Directory } from "../principals/directory.ts";
import type { Principal } from "../principals/principal.ts";
import { hashSecret } from "../secrets.ts";
import { invalidRequest, type Parameters } from "./parameters.ts";

export interface Client {
  readonly principal: Principal;
  /** `client_id` as the client wrote it: the id or the name of the service principal. */
  readonly name: string;
}

/** The enabled application of a `client_id`, which is its id or its name. */
export function findClient(directory: Directory, name: string): Client | undefined {
  const byId = directory.get(name);
  const principal = byId ?? directory.findByName("ServicePrincipal", name);
  if (principal?.kind !== "ServicePrincipal" || !principal.enabled) return undefined;
  return { principal, name };
}

/**
 * The client of a request to the token endpoint (RFC 6749, section 2.3). A public one names
 * itself; any other proves itself by its secret, in the body or by HTTP Basic, not both.
 */
export function authenticateClient(
  context: Context,
  request: FastifyRequest,
  parameters: Parameters,
): Client {
  const { name, secret } = readClaim(request.headers.authorization, parameters);
  const client = findClient(context.directory, name);
  if (client === undefined) throw invalidClient(`There is no client "${name}".`);
  if (client.principal.publicClient && secret === undefined) return client;
  if (secret !== undefined && isSecretOf(context, client.principal, secret)) return client;
  throw invalidClient(`The client "${name}" did not prove itself by one of its secrets.`);
}

interface Claim {
  readonly name: string;
  readonly secret: string | undefined;
}

/** Who the client says it is, and how it proves that. */
function readClaim(authorization: string | undefined, parameters: Parameters): Claim {
  const name = parameters.get("client_id");
  const secret = parameters.get("client_secret");
  const basic = readBasic(authorization);
  if (basic === undefined) {
    if (name === undefined) throw invalidClient("The parameter client_id is required.");
    return { name, secret };
  }
  if (secret !== undefined) {
    throw invalidRequest("The client's secret comes in the body or by HTTP Basic, not in both.");
  }
  if (name !== undefined && name !== basic.name) {
    throw invalidRequest("The client_id in the body is not the one in the Authorization header.");
  }
  return basic;
}

function isSecretOf(
  { directory, environment }: Context,
  { id }: Principal,
  secret: string,
): boolean {
  const credential = directory.findCredential(hashSecret(secret));
  if (credential?.purpose !== "secret" || credential.principalId !== id) return false;
  const { expiresAt } = credential;
  return expiresAt === null || expiresAt > environment.now().toISOString();
}

function readBasic(authorization: string | undefined): Claim | undefined {
  if (authorization === undefined || !/^basic /i.test(authorization)) return undefined;
  const text = Buffer.from(authorization.slice("basic ".length), "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw invalidClient("The Authorization header holds no client id and secret.");
  return { name: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
}

/** RFC 6749, section 2.3.1: both are form-encoded before they are joined. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw invalidClient("The Authorization header is not form-encoded.");
  }
}

function invalidClient(sentence: string): Problem {
  return new Problem(401, "invalid_client", sentence, {
    headers: { "www-authenticate": 'Basic realm="atoll"' },
  });
}

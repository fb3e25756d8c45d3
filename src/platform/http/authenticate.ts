import type { FastifyRequest } from "fastify";
import type { Caller } from "../auth/caller.ts";
import { Problem } from "../problem.ts";

export interface Authentication {
  /** Verifies a bearer token for one of the audiences; throws a `Problem` with 401. */
  readonly verifyToken: (token: string, audiences: readonly string[]) => Promise<Caller>;
  /** The caller that an API key stands for. */
  readonly findApiKey: (key: string) => Promise<Caller | undefined>;
  /** Under which audiences tokens for this service are issued. Read at every request. */
  readonly audiences: () => readonly string[];
  /** Where a client is sent to sign in. */
  readonly authorizationUri: () => string;
}

/** A hook that lets nobody past without credentials, save on routes that say `anonymous`. */
export function requireCaller(authentication: Authentication) {
  return async function authenticate(request: FastifyRequest): Promise<void> {
    const { access = "bearer", apiKey = false } = request.routeOptions.config;
    if (access !== "bearer") return;
    request.caller =
      (apiKey && (await byApiKey(authentication, request))) ||
      (await byToken(authentication, request));
  };
}

async function byApiKey({ findApiKey }: Authentication, request: FastifyRequest) {
  const key = request.headers["api-key"];
  if (typeof key !== "string") return undefined;
  const caller = await findApiKey(key);
  if (caller === undefined) throw new Problem(401, "401", "The api-key is not a valid key.");
  return caller;
}

async function byToken(authentication: Authentication, request: FastifyRequest) {
  const uri = authentication.authorizationUri();
  const token = bearerToken(request.headers.authorization);
  if (token === undefined) {
    throw new Problem(
      401,
      "AuthenticationFailed",
      "The request carries no bearer token: send Authorization: Bearer <token>.",
      { headers: { "www-authenticate": `Bearer authorization_uri="${uri}"` } },
    );
  }
  try {
    return await authentication.verifyToken(token, authentication.audiences());
  } catch (error) {
    if (!(error instanceof Problem) || error.statusCode !== 401) throw error;
    const challenge = `Bearer authorization_uri="${uri}", error="invalid_token"`;
    throw new Problem(401, error.code, error.message, {
      headers: { "www-authenticate": challenge },
    });
  }
}

/** The token of `Authorization: Bearer <token>`; undefined for any other scheme or none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(authorization ?? "")?.[1];
}

/** The caller of a route that requires one. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new Error(`No caller on ${request.method} route.`);
  return request.caller;
}

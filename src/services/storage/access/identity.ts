import type { Caller } from "#platform/auth/caller.ts";
import type { Sas } from "#platform/auth/sas.ts";
import { parseSharedKey, requireSharedKey } from "#platform/auth/shared-key.ts";
import { bearerToken } from "#platform/http/authenticate.ts";
import { Problem } from "#platform/problem.ts";
import { accountNotFound } from "../accounts/refusals.ts";
import type { Context } from "../context.ts";
import { isForDelegatedUser, verifySignature } from "./signature.ts";
import type { Target } from "./target.ts";

/** Who asks, and by what right. */
export type Identity =
  | { readonly kind: "key"; readonly caller: Caller }
  | { readonly kind: "sas"; readonly caller: Caller; readonly sas: Sas }
  | { readonly kind: "bearer"; readonly caller: Caller }
  | { readonly kind: "anonymous"; readonly caller: undefined };

/** A request as far as it proves who sent it. */
export interface Credentials {
  readonly target: Target;
  readonly authorization: string | undefined;
  readonly isSecure: boolean;
  /** Address of the client. */
  readonly address: string;
  /** What a shared key has signed; undefined where shared keys do not count. */
  readonly sent:
    | {
        readonly method: string;
        readonly url: string;
        readonly rawHeaders: readonly string[];
        readonly version: string;
      }
    | undefined;
}

/** Verifies the credentials of a request, whichever they are. */
export async function identify(context: Context, credentials: Credentials): Promise<Identity> {
  const { authorization, target } = credentials;
  const isSigned = target.query.has("sig");
  if (authorization !== undefined && !(isSigned && isForDelegatedUser(target))) {
    return byHeader(context, credentials, authorization);
  }
  if (isSigned) return bySignature(context, credentials);
  return { kind: "anonymous", caller: undefined };
}

async function byHeader(
  context: Context,
  credentials: Credentials,
  authorization: string,
): Promise<Identity> {
  if (/^Bearer /i.test(authorization)) return byToken(context, credentials, authorization);
  const credential = parseSharedKey(authorization);
  if (credential === undefined || credentials.sent === undefined) {
    const said =
      "Authorization is neither Bearer <token> nor SharedKey <account>:<signature> in base64.";
    throw new Problem(400, "InvalidAuthenticationInfo", said);
  }
  const { account } = credential;
  if (account !== credentials.target.account) {
    throw refusedKey(`The URL names another account than Authorization, which names ${account}.`);
  }
  const now = context.environment.now();
  requireSharedKey(credentials.sent, credential, keysOf(context, account), now);
  return { kind: "key", caller: accountCaller(account, "shared-key") };
}

/** A refused token is a 401 of this protocol's own code. */
async function byToken(
  context: Context,
  { isSecure }: Credentials,
  authorization: string,
): Promise<Identity & { readonly kind: "bearer" }> {
  if (!isSecure && !context.plainHttpSecrets) {
    throw refusedKey("Bearer tokens are taken over https only; this request came over http.");
  }
  const token = bearerToken(authorization);
  if (token === undefined) {
    const said = "Authorization: Bearer is not followed by one token.";
    throw new Problem(400, "InvalidAuthenticationInfo", said);
  }
  try {
    const caller = await context.verifyToken(token, context.audiences());
    return { kind: "bearer", caller };
  } catch (error) {
    if (!(error instanceof Problem) || error.statusCode !== 401) throw error;
    throw unauthenticated("InvalidAuthenticationInfo", error.message);
  }
}

async function bySignature(context: Context, credentials: Credentials): Promise<Identity> {
  const { target, isSecure, address, authorization, sent } = credentials;
  const bearer =
    authorization === undefined ? undefined : await byToken(context, credentials, authorization);
  const sas = await verifySignature(context, {
    target,
    keys: keysOf(context, target.account),
    isSecure,
    address,
    rawHeaders: sent?.rawHeaders ?? [],
    bearer: bearer?.caller,
  });
  return { kind: "sas", sas, caller: signer(sas, target.account) };
}

/** A signature acts for the account, or for the principal whose key has made it. */
function signer({ kind, fields }: Sas, account: string): Caller {
  const caller = accountCaller(account, "shared-access-signature");
  if (kind !== "delegation") return caller;
  const of = (name: string) => fields.get(name) ?? "";
  return { ...caller, objectId: of("skoid"), tenantId: of("sktid") };
}

/** 401 with the challenge that tells clients to bring a token. */
export function unauthenticated(code: string, message: string): Problem {
  return new Problem(401, code, message, { headers: { "www-authenticate": "Bearer" } });
}

function keysOf({ keys }: Context, account: string): readonly Uint8Array[] {
  const found = keys.get(account);
  if (found !== undefined) return found;
  throw accountNotFound(account);
}

/** An account's key is no principal of the directory; the log names the account. */
function accountCaller(account: string, scheme: Caller["scheme"]): Caller {
  return { objectId: account, kind: "ServicePrincipal", tenantId: "", scheme };
}

function refusedKey(detail: string): Problem {
  return new Problem(403, "AuthenticationFailed", "The request's credentials were refused.", {
    fields: { AuthenticationErrorDetail: detail },
  });
}

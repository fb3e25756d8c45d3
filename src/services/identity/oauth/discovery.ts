import type { Context } from "../context.ts";
import type { Issuer } from "../tokens/issuers.ts";
import { GRANT_TYPES } from "./grants.ts";
import { RESPONSE_TYPES } from "./response-type.ts";
import { OPENID_SCOPES, USER_IMPERSONATION, userinfoOf } from "./target.ts";

/** The document of an issuer (OpenID Connect Discovery 1.0, section 3). */
export function discoveryOf(
  context: Pick<Context, "authUrl">,
  { url, version, segment }: Issuer,
): Record<string, unknown> {
  const root = context.authUrl();
  const endpoints = `${root}/${segment}/oauth2${version === "2.0" ? "/v2.0" : ""}`;
  return {
    issuer: url,
    authorization_endpoint: `${endpoints}/authorize`,
    token_endpoint: `${endpoints}/token`,
    device_authorization_endpoint: `${endpoints}/devicecode`,
    userinfo_endpoint: userinfoOf(context),
    jwks_uri: `${root}/common/discovery/keys`,
    response_types_supported: RESPONSE_TYPES,
    response_modes_supported: ["query", "fragment", "form_post"],
    grant_types_supported: GRANT_TYPES,
    scopes_supported: [...OPENID_SCOPES, USER_IMPERSONATION],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic", "none"],
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "select_account"],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_supported: CLAIMS.split(" "),
  };
}

const CLAIMS =
  "iss aud sub oid tid ver iat nbf exp jti nonce auth_time at_hash name preferred_username email";

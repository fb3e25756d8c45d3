const SECRETS = [
  "access_token",
  "client_secret",
  "code",
  "code_verifier",
  "device_code",
  "id_token",
  "login_hint",
  "nonce",
  "password",
  "refresh_token",
  "return_to",
  "sig",
  "state",
  "user_code",
];

const SECRET_PARAMETERS = new RegExp(`([?&](?:${SECRETS.join("|")})=)[^&#]*`, "gi");

/** A request's URL as it may be shown: what signs or authenticates is replaced by `***`. */
export function maskUrl(url: string): string {
  return url.replace(SECRET_PARAMETERS, "$1***");
}

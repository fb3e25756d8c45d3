const SECRET_PARAMETERS =
  /([?&](?:sig|code|access_token|id_token|client_secret|refresh_token|device_code|state|nonce|code_verifier|login_hint|password)=)[^&#]*/gi;

/** A request's URL as it may be shown: what signs or authenticates is replaced by `***`. */
export function maskUrl(url: string): string {
  return url.replace(SECRET_PARAMETERS, "$1***");
}

const SECRETS: ReadonlySet<string> = new Set([
  "access_token",
  "assertion",
  "client_assertion",
  "client_secret",
  "code",
  "code_verifier",
  "device_code",
  "id_token",
  "id_token_hint",
  "login_hint",
  "logout_hint",
  "nonce",
  "password",
  "refresh_token",
  "return_to",
  "sig",
  "state",
  "user_code",
]);

const PARAMETER = /([?&#])([^=&#]*)=([^&#]*)/g;

/** A request's URL as it may be shown: what signs or authenticates is replaced by `***`. */
export function maskUrl(url: string): string {
  return url.replace(PARAMETER, (whole, before: string, name: string) =>
    SECRETS.has(decoded(name)) ? `${before}${name}=***` : whole,
  );
}

/** Names are compared as the services read them: decoded, without regard to case. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

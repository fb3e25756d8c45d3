import type { Principal } from "../principals/principal.ts";

/** Stands in the addresses of the applications that come with Atoll for where it answers. */
export const AUTH_URL_PLACEHOLDER = "{auth_url}";

/** A loopback address: its port, if any, and nothing after it but a path or a query. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::[1-9]\d{0,4})?(?=[/?]|$)/;

/** The addresses of an application, as they are compared. */
export function redirectUrisOf({ redirectUris }: Principal, authUrl: string): readonly string[] {
  return redirectUris.map((uri) => uri.replace(AUTH_URL_PLACEHOLDER, authUrl));
}

/**
 * Whether an address is registered. It is compared character by character: an address that is
 * nearly the same may be somebody else's. A loopback address may differ in its port, because
 * an application on the user's machine takes a free one (RFC 8252, section 7.3).
 */
export function isRegistered(client: Principal, authUrl: string, uri: string): boolean {
  const portless = withoutLoopbackPort(uri);
  return redirectUrisOf(client, authUrl).some((known) => {
    return known === uri || (portless !== undefined && withoutLoopbackPort(known) === portless);
  });
}

function withoutLoopbackPort(uri: string): string | undefined {
  // The port may still be higher than there are any.
  return LOOPBACK.test(uri) && URL.canParse(uri) ? uri.replace(LOOPBACK, "$1") : undefined;
}

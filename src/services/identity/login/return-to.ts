const AUTHORIZE = /^\/[\w-]+\/oauth2\/(?:v2\.0\/)?authorize$/;
export const DEVICE = "/device";
const RETURN_LENGTH_MAX = 8192;
/** Stands for this server while an address is taken apart. */
const HERE = "http://here.invalid";

/**
 * Where a user goes after signing in, as a path of this server. Undefined for anything but the
 * pages that send users here: a sign-in that leads anywhere would lend its name to anybody.
 */
export function localReturn(text: string | undefined): URL | undefined {
  if (text === undefined || text.length > RETURN_LENGTH_MAX || !text.startsWith("/")) {
    return undefined;
  }
  if (!URL.canParse(text, HERE)) return undefined;
  const url = new URL(text, HERE);
  // Such as //elsewhere.example/ or /\elsewhere.example/, which are not of this server.
  if (url.origin !== HERE) return undefined;
  return AUTHORIZE.test(url.pathname) || url.pathname === DEVICE ? url : undefined;
}

export function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

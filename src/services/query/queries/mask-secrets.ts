const SHOWN_MAX = 16_384;
/** `h"…"`, `h'…'` and `h@"…"`: literals that their author wants to be kept out of logs. */
const HIDDEN = /\b[hH](?=@?["'])(?:@"[^"]*"|@'[^']*'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;
/** A signature in a URL is a secret whether or not it is marked as one. */
const SIGNATURES = /([?&;]sig=)[^&'"\s;]+/gi;

/** A query's text as it may be shown to others: without secrets, and not too long. */
export function maskSecrets(text: string): string {
  const masked = text.replace(HIDDEN, 'h"*****"').replace(SIGNATURES, "$1*****");
  return masked.length <= SHOWN_MAX ? masked : `${masked.slice(0, SHOWN_MAX)}…`;
}

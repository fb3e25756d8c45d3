/** A request target's path and query (without `?`), neither decoded nor normalised. */
export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf("?");
  return at < 0 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

/**
 * The parameters of a query in the order sent, percent-decoded. A plus sign stays one: the
 * base64 of signatures contains them, and signed URLs never mean a space by it.
 */
export function queryParameters(query: string): readonly (readonly [string, string])[] {
  if (query === "") return [];
  return query
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      if (at < 0) return [decoded(part), ""] as const;
      return [decoded(part.slice(0, at)), decoded(part.slice(at + 1))] as const;
    });
}

/** Percent-decoded; as it is when it is no valid encoding. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { Problem } from "#platform/problem.ts";
import { queryParameters, splitUrl } from "#platform/auth/url-parts.ts";

const SECONDARY = /-secondary$/;
const URL_BLOB_NAME_MAX = 1024;

/** What a URL of the blob service names. Parts that it does not name are empty. */
export interface Target {
  readonly account: string;
  readonly container: string;
  readonly blob: string;
  readonly query: ReadonlyMap<string, string>;
}

/** Reads `/{account}/{container}/{blob...}?query`; blob names contain slashes. */
export function parseTarget(url: string): Target {
  const { path, query } = splitUrl(url);
  const [, account = "", container = "", ...rest] = path.split("/");
  const blob = decoded(rest.join("/"));
  if (blob.length > URL_BLOB_NAME_MAX) {
    const said = `The blob's name has ${blob.length} characters; ${URL_BLOB_NAME_MAX} are allowed.`;
    throw new Problem(400, "InvalidUri", said);
  }
  return {
    account: decoded(account).replace(SECONDARY, ""),
    container: decoded(container),
    blob,
    query: parametersOf(query),
  };
}

/** By lower-cased name; of a name that occurs twice the first counts. */
function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of queryParameters(query)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, value);
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(400, "InvalidUri", "The path of the URL is not percent-encoded UTF-8.");
  }
}

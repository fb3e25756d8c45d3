import { Problem } from "#platform/problem.ts";
import { queryParameters, splitUrl } from "#platform/auth/url-parts.ts";

const SECONDARY = /-secondary$/;
const BLOB_NAME_MAX = 1024;

/** What a URL of the blob service names. Parts that it does not name are empty. */
export interface Target {
  readonly account: string;
  readonly container: string;
  readonly blob: string;
  readonly query: ReadonlyMap<string, string>;
  /** The address of the copy from which one may only read. */
  readonly isSecondary: boolean;
}

/** Reads `/{account}/{container}/{blob...}?query`; blob names contain slashes. */
export function parseTarget(url: string): Target {
  const { path, query } = splitUrl(url);
  const [, account = "", container = "", ...rest] = path.split("/");
  const blob = decoded(rest.join("/"));
  if (blob.length > BLOB_NAME_MAX) {
    throw invalidUri(
      `The blob's name has ${blob.length} characters; ${BLOB_NAME_MAX} are allowed.`,
    );
  }
  if (blob.includes("\0")) throw invalidUri("The blob's name has a character of code 0.");
  return {
    account: segment(account).replace(SECONDARY, ""),
    container: segment(container),
    blob,
    query: parametersOf(query),
    isSecondary: SECONDARY.test(segment(account)),
  };
}

/** A name that stays one segment however it is encoded. */
function segment(text: string): string {
  const name = decoded(text);
  if (!/[/\0]/.test(name)) return name;
  throw invalidUri("The names of accounts and containers have no slashes and no character 0.");
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
    throw invalidUri("The path of the URL is not percent-encoded UTF-8.");
  }
}

function invalidUri(message: string): Problem {
  return new Problem(400, "InvalidUri", message);
}

import { badQuery } from "./refusals.ts";

/** What follows the question mark: each option once, decoded. */
export type QueryString = ReadonlyMap<string, string>;

const OPTIONS: ReadonlySet<string> = new Set([
  "$apply",
  "$count",
  "$deltatoken",
  "$expand",
  "$filter",
  "$id",
  "$orderby",
  "$search",
  "$select",
  "$skiptoken",
  "$top",
  "fetchXml",
]);

/**
 * Parameter aliases (`@name`) may be anything; every other name is one of the options. `$format`
 * can only say what is answered anyway.
 */
export function parseQueryString(text: string): QueryString {
  const options = new Map<string, string>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = decoded(at < 0 ? part : part.slice(0, at));
    if (options.has(name)) throw badQuery(`The query option ${name} is given twice.`);
    checkName(name);
    options.set(name, at < 0 ? "" : decoded(part.slice(at + 1)));
  }
  return options;
}

function checkName(name: string): void {
  if (name.startsWith("@") || name === "$format" || OPTIONS.has(name)) return;
  if (name === "$skip") {
    throw badQuery("The query option $skip is not supported; follow @odata.nextLink instead.");
  }
  throw badQuery(`The query option ${name} is not known.`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw badQuery(`The query part ${text.slice(0, 80)} is not percent-encoded UTF-8.`);
  }
}

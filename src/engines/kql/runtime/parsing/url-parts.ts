import type { Json, JsonBag } from "../../types.ts";

const URL_PARTS = new RegExp(
  "^(?:(?<scheme>[a-z][\\w+.-]*):)?" +
    "(?://(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?" +
    "(?<host>\\[[^\\]]*\\]|[^:/?#]*)(?::(?<port>\\d*))?)?" +
    "(?<path>[^?#]*)(?:\\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$",
  "is",
);
const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;
const DRIVE = /^[a-z]:(?=[\\/]|$)/i;

/** The parts of an absolute URL, `""` for those that it does not have. */
export function parseUrl(url: string): Json {
  const parts = URL_PARTS.exec(url)?.groups;
  const part = (name: string) => parts?.[name] ?? "";
  return {
    Scheme: part("scheme"),
    Host: part("host"),
    Port: part("port"),
    Path: part("path"),
    Username: part("user"),
    Password: part("password"),
    "Query Parameters": queryParameters(part("query")),
    Fragment: part("fragment"),
  };
}

export function parseUrlQuery(query: string): Json {
  return { "Query Parameters": queryParameters(query.replace(/^\?/, "")) };
}

/** The first of several values of a name stays. */
function queryParameters(query: string): JsonBag {
  const pairs = query.split("&").filter((pair) => pair !== "");
  const named = pairs.map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name, value.join("=")] as const;
  });
  return Object.fromEntries(named.toReversed());
}

/** The parts of a file's path, of Windows or of others. */
export function parsePath(path: string): Json {
  const scheme = SCHEME.exec(path)?.[1] ?? "";
  const rest = path.replace(SCHEME, "");
  const [directory, last] = splitAt(rest, /[\\/](?=[^\\/]*$)/);
  const stream = /:.*$/s.exec(last)?.[0] ?? "";
  const filename = last.slice(0, last.length - stream.length);
  return {
    Scheme: scheme,
    RootPath: DRIVE.exec(rest)?.[0] ?? "",
    DirectoryPath: directory,
    DirectoryName: directory.split(/[\\/]/).at(-1) ?? "",
    Filename: filename,
    Extension: /\.([^.]*)$/.exec(filename)?.[1] ?? "",
    AlternateDataStreamName: stream.slice(1),
  };
}

/** What stands before and behind the separator; without one all is behind. */
function splitAt(text: string, separator: RegExp): [string, string] {
  const match = separator.exec(text);
  return match === null
    ? ["", text]
    : [text.slice(0, match.index), text.slice(match.index + match[0].length)];
}

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";

/**
 * The names in the specification are the native ones. The public clouds' SDKs send the same
 * requests under their own names. A request is answered in the dialect in which it was asked.
 */
export type Dialect = "native" | "public";

interface Pair {
  readonly native: string;
  readonly public: string;
}

const HEADER_PREFIX: Pair = { native: "x-svc-", public: "x-ms-" };

const HEADERS: readonly Pair[] = [{ native: "svc-asyncoperation", public: "azure-asyncoperation" }];

const DEPLOYMENTS: Pair = { native: "/svc/deployments/", public: "/openai/deployments/" };
const PROVIDERS = "/providers/";
/** The provider whose resources hang below any other resource. */
const EXTENSION = "Svc.Authorization/";

/** Provider namespaces, in the names of operations and in resource paths. */
const NAMESPACES: readonly Pair[] = [
  { native: "Svc.Authorization", public: "Microsoft.Authorization" },
  { native: "Svc.Containers", public: "Microsoft.ContainerService" },
  { native: "Svc.Inference", public: "Microsoft.CognitiveServices" },
  { native: "Svc.Postgres", public: "Microsoft.DBforPostgreSQL" },
  { native: "Svc.Query", public: "Microsoft.Kusto" },
  { native: "Svc.Storage", public: "Microsoft.Storage" },
];

/** A namespace is a whole segment: the first of an operation, or the one after `/providers/`. */
const NAMESPACE = /(^|\/providers\/)(Microsoft\.[^/*]+|Svc\.[^/*]+)(?=\/|$)/gi;

/** Audiences under which the public SDKs ask for tokens, by the service that they are for. */
export const PUBLIC_AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  authorization: ["https://management.azure.com", "https://management.core.windows.net"],
  query: ["https://kusto.kusto.windows.net", "https://api.kusto.windows.net"],
  storage: ["https://storage.azure.com"],
};

/** The dialect of the headers; undefined when none of them tells. Refuses a mixture. */
export function dialectOf(headers: IncomingHttpHeaders): Dialect | undefined {
  let seen: Dialect | undefined;
  for (const name in headers) {
    const spoken = headerDialect(name);
    if (spoken === undefined || spoken === seen) continue;
    if (seen !== undefined) {
      throw new Problem(
        400,
        "InvalidHeaderValue",
        `The request mixes ${HEADER_PREFIX.native}* and ${HEADER_PREFIX.public}* headers ` +
          `(${name}); a request speaks one dialect.`,
        { fields: { HeaderName: name, HeaderValue: String(headers[name]) } },
      );
    }
    seen = spoken;
  }
  return seen;
}

function headerDialect(name: string): Dialect | undefined {
  if (name.startsWith(HEADER_PREFIX.public)) return "public";
  if (name.startsWith(HEADER_PREFIX.native)) return "native";
  return undefined;
}

/** The dialect of a path on the gateway, for requests whose headers do not tell. */
export function dialectOfPath(url: string): Dialect {
  const [path = ""] = url.split("?", 1);
  const isPublic = path.startsWith(DEPLOYMENTS.public) || /\/providers\/Microsoft\./i.test(path);
  return isPublic ? "public" : "native";
}

/** Gives the headers of a request their native names. `rawHeaders` keeps them as sent. */
export function nativeHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    if (!name.startsWith(HEADER_PREFIX.public)) continue;
    headers[HEADER_PREFIX.native + name.slice(HEADER_PREFIX.public.length)] = headers[name];
    delete headers[name];
  }
}

/** A header's name as this dialect writes it. */
export function headerIn(dialect: Dialect, name: string): string {
  if (dialect === "native") return name;
  const lower = name.toLowerCase();
  if (lower.startsWith(HEADER_PREFIX.native)) {
    return HEADER_PREFIX.public + lower.slice(HEADER_PREFIX.native.length);
  }
  return HEADERS.find((pair) => pair.native === lower)?.public ?? name;
}

/**
 * The request's URL under its native names, as the gateway routes it. A path that ends in
 * `{scope}/providers/Svc.Authorization/…` may have any scope before it, which no route can
 * match, so the scope becomes one encoded segment: `/scoped/{scope}/Svc.Authorization/…`.
 */
export function nativeUrl(request: IncomingMessage): string {
  const url = request.url ?? "/";
  const queryAt = url.indexOf("?");
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  return nativePath(path) + url.slice(path.length);
}

function nativePath(path: string): string {
  if (path.startsWith(DEPLOYMENTS.public)) {
    return DEPLOYMENTS.native + path.slice(DEPLOYMENTS.public.length);
  }
  const at = path.toLowerCase().lastIndexOf(PROVIDERS);
  if (at < 0) return path;
  const resource = nativeName(path.slice(at + PROVIDERS.length));
  // A client that fills "/{scope}/providers" with a scope that begins with a slash sends two.
  const scope = path.slice(0, at).replace(/^\/+/, "/");
  if (!resource.startsWith(EXTENSION)) return `${scope}${PROVIDERS}${resource}`;
  return `/scoped/${encodeURIComponent(decoded(scope) || "/")}/${resource}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** An operation, role permission or resource path with its provider namespaces made native. */
export function nativeName(text: string): string {
  return renamed(text, "public", "native");
}

/** The reverse of `nativeName`, for answers to a request in the public dialect. */
export function nameIn(dialect: Dialect, text: string): string {
  return dialect === "native" ? text : renamed(text, "native", "public");
}

function renamed(text: string, from: Dialect, to: Dialect): string {
  return text.replace(NAMESPACE, (whole, before: string, name: string) => {
    const pair = NAMESPACES.find((one) => one[from].toLowerCase() === name.toLowerCase());
    return pair === undefined ? whole : before + pair[to];
  });
}

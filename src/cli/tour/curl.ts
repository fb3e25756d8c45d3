import { quotePosix } from "../env-formats.ts";

/**
 * A request as the tour shows it. Its texts may refer to variables of the shell (`$TOKEN`), so
 * that what is printed can be pasted as it is and holds no secret.
 */
export interface TourRequest {
  readonly method: "GET" | "PATCH" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly text?: string;
}

const VARIABLE = /\$([A-Z][A-Z_]*)/g;

/** The texts of a request with the values of its variables. Throws for one that has none. */
export function expand(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(VARIABLE, (_match, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`The tour has no variable ${name}.`);
    return value;
  });
}

/** The request as a curl command, an option a line. */
export function formatCurl(request: TourRequest): string {
  const { method, url, headers = {}, json } = request;
  const all = { ...headers, ...(json !== undefined && { "Content-Type": "application/json" }) };
  return [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`,
    ...Object.entries(all).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...bodyOptions(request),
  ].join(" \\\n  ");
}

function bodyOptions({ method, form, json, text }: TourRequest): readonly string[] {
  if (form !== undefined) {
    return Object.entries(form).map(
      ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
    );
  }
  const content = json === undefined ? text : JSON.stringify(json);
  if (content !== undefined) return [`--data-binary ${quote(content)}`];
  // curl would send none, and a server may insist on one.
  return method === "PUT" || method === "POST" ? ['-H "Content-Length: 0"'] : [];
}

/** Double quotes where a variable is to be replaced, single quotes where nothing is. */
function quote(text: string): string {
  if (text.search(VARIABLE) < 0) return quotePosix(text);
  const escaped = text.replaceAll(/["\\`]|\$(?![A-Z])/g, String.raw`\$&`);
  return `"${escaped}"`;
}

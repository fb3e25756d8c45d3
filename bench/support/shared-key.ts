import { createHmac } from "node:crypto";

/** A storage account; `key` is base64, as in a connection string. */
export interface Account {
  readonly name: string;
  readonly key: string;
}

export interface BlobRequest {
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT";
  /** Path and query as they go on the wire. */
  readonly path: string;
  /** Names in lower case; a body's `content-length` must be among them. */
  readonly headers: Readonly<Record<string, string>>;
}

const STORAGE_VERSION = "2022-11-02";

/** The standard headers in the order in which they are signed; the date stands in `x-ms-date`. */
const SIGNED_HEADERS = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
];

/**
 * The request with date, version and Shared Key signature. It can be sent any number of times
 * until its date is 15 minutes old, because nothing that is signed differs from send to send.
 */
export function signed({ name, key }: Account, request: BlobRequest): BlobRequest {
  const headers: Record<string, string> = {
    ...request.headers,
    "x-ms-date": new Date().toUTCString(),
    "x-ms-version": STORAGE_VERSION,
  };
  const text = [
    request.method,
    ...SIGNED_HEADERS.map((header) => signedValue(header, headers[header])),
    ...canonicalHeaders(headers),
    canonicalResource(name, request.path),
  ].join("\n");
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  return { ...request, headers: { ...headers, authorization: `SharedKey ${name}:${signature}` } };
}

function signedValue(header: string, value = ""): string {
  return header === "content-length" && value === "0" ? "" : value;
}

function canonicalHeaders(headers: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(headers).filter((header) => header.startsWith("x-ms-"));
  return names.toSorted().map((header) => `${header}:${headers[header]}`);
}

function canonicalResource(account: string, path: string): string {
  const [plainPath = "", query = ""] = path.split("?", 2);
  const parameters = [...new URLSearchParams(query)].map(
    ([parameter, value]) => `\n${parameter.toLowerCase()}:${value}`,
  );
  return `/${account}${plainPath}${parameters.toSorted().join("")}`;
}

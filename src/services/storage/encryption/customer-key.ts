import { createHash } from "node:crypto";
import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import type { Context } from "../context.ts";
import { headerValue, invalidHeader } from "../protocol/header-values.ts";

const ALGORITHM = "AES256";
const KEY_BYTES = 32;

/** A key that came with a request. Only its hash is ever stored, and neither is logged. */
export interface CustomerKey {
  readonly key: Uint8Array;
  /** Base64. */
  readonly sha256: string;
}

/** The headers that a key comes in. */
interface KeyHeaders {
  readonly key: string;
  readonly sha256: string;
  readonly algorithm: string;
}

const OF_TARGET = namesWith("x-svc-");
const OF_SOURCE = namesWith("x-svc-source-");

function namesWith(prefix: string): KeyHeaders {
  const key = `${prefix}encryption-key`;
  return { key, sha256: `${key}-sha256`, algorithm: `${prefix}encryption-algorithm` };
}

type Asking = Pick<Call, "headers" | "request">;
type Allowing = Pick<Context, "plainHttpSecrets">;

/** The key that the content is, or is to be, encrypted with; undefined where none was sent. */
export function customerKeyOf(context: Allowing, call: Asking): CustomerKey | undefined {
  return keyIn(context, call, OF_TARGET);
}

/** The key of a copy source. */
export function sourceKeyOf(context: Allowing, call: Asking): CustomerKey | undefined {
  return keyIn(context, call, OF_SOURCE);
}

function keyIn(
  context: Allowing,
  { headers, request }: Asking,
  names: KeyHeaders,
): CustomerKey | undefined {
  const all = [names.key, names.sha256, names.algorithm];
  const missing = all.filter((name) => headers[name] === undefined);
  if (missing.length === all.length) return undefined;
  for (const name of missing) throw incomplete(name);
  if (request.protocol !== "https" && !context.plainHttpSecrets) {
    throw refused(names.key, "is taken over https only, and this request came over http");
  }
  const [key = "", sha256 = "", algorithm = ""] = all.map((name) => headerValue(headers, name));
  if (algorithm !== ALGORITHM) {
    throw invalidHeader(names.algorithm, algorithm, `and the only algorithm is ${ALGORITHM}`);
  }
  return { key: bytesOf(names, key, sha256), sha256 };
}

function bytesOf(names: KeyHeaders, text: string, sha256: string): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (key.length !== KEY_BYTES || key.toString("base64") !== text) {
    throw refused(names.key, `is not the base64 of ${KEY_BYTES} bytes`);
  }
  if (createHash("sha256").update(key).digest("base64") === sha256) return key;
  throw refused(names.sha256, "is not the base64 of the SHA-256 of the key that came with it");
}

function incomplete(missing: string): Problem {
  const said = `${missing} is missing: a key comes with its SHA-256 and its algorithm.`;
  return new Problem(400, "MissingRequiredHeader", said, { fields: { HeaderName: missing } });
}

/** A refusal never shows the value. */
function refused(name: string, why: string): Problem {
  return new Problem(400, "InvalidHeaderValue", `${name} ${why}.`, {
    fields: { HeaderName: name },
  });
}

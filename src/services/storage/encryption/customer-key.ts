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

/**
 * The key that the caller wants the content encrypted with; undefined where none was sent. The
 * key of a copy source comes under the prefix `x-svc-source-`.
 */
export function customerKeyOf(
  context: Pick<Context, "plainHttpSecrets">,
  { headers, request }: Pick<Call, "headers" | "request">,
  prefix = "x-svc-",
): CustomerKey | undefined {
  const [keyName, hashName, algorithmName] = [
    `${prefix}encryption-key`,
    `${prefix}encryption-key-sha256`,
    `${prefix}encryption-algorithm`,
  ] as const;
  const names = [keyName, hashName, algorithmName];
  const [key = "", sha256 = "", algorithm = ""] = names.map((name) => headerValue(headers, name));
  const missing = names.filter((name) => headers[name] === undefined);
  if (missing.length === names.length) return undefined;
  for (const name of missing) throw incomplete(name);
  if (request.protocol !== "https" && !context.plainHttpSecrets) {
    throw refused(keyName, "is taken over https only, and this request came over http");
  }
  if (algorithm !== ALGORITHM) {
    throw invalidHeader(algorithmName, algorithm, `and the only algorithm is ${ALGORITHM}`);
  }
  return { key: bytesOf(keyName, key, { hashName, sha256 }), sha256 };
}

function bytesOf(
  name: string,
  text: string,
  { hashName, sha256 }: { readonly hashName: string; readonly sha256: string },
): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (key.length !== KEY_BYTES || key.toString("base64") !== text) {
    throw refused(name, `is not the base64 of ${KEY_BYTES} bytes`);
  }
  if (createHash("sha256").update(key).digest("base64") === sha256) return key;
  throw refused(hashName, "is not the base64 of the SHA-256 of the key that came with it");
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

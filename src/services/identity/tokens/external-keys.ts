import type { JWK } from "jose";
import { Problem } from "#platform/problem.ts";
import type { ExternalOptions } from "./external.ts";
import { invalidToken } from "./invalid-token.ts";

/** How long an issuer's keys are believed without asking again. */
const KEYS_CACHED_MS = 3_600_000;
/** An unknown key id is a reason to ask again, but not more often than this. */
const KEYS_REFRESH_MS = 60_000;
const DOCUMENT_BYTES_MAX = 262_144;
const FETCH_TIMEOUT_MS = 10_000;

export interface ExternalKeys {
  /** The public key of this id. Without an id, the issuer's only key. */
  readonly find: (kid: string | undefined) => Promise<JWK>;
}

/** The signing keys that an issuer publishes, as far as they are of use. */
export function createExternalKeys(
  issuer: string,
  { outbound, environment }: Omit<ExternalOptions, "issuers">,
): ExternalKeys {
  let keys: readonly JWK[] = [];
  let askedMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedMs = environment.now().getTime();
    try {
      keys = await fetchKeys(issuer, (url) => fetchJson(outbound, url));
    } catch (error) {
      // What was good an hour ago is better than nobody getting in.
      if (keys.length > 0) return;
      throw unavailable(issuer, error);
    }
  }

  async function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    await asking;
  }

  function pick(kid: string | undefined): JWK | undefined {
    if (kid === undefined) return keys.length === 1 ? keys[0] : undefined;
    return keys.find((key) => key.kid === kid);
  }

  return {
    async find(kid) {
      const ageMs = environment.now().getTime() - askedMs;
      const isUnknown = pick(kid) === undefined;
      if (ageMs > KEYS_CACHED_MS || (isUnknown && ageMs > KEYS_REFRESH_MS)) await refresh();
      else if (asking !== undefined) await asking;
      const key = pick(kid);
      if (key !== undefined) return key;
      if (keys.length === 0) throw unavailable(issuer, undefined);
      throw invalidToken(`The issuer "${issuer}" publishes no key that the token names.`);
    },
  };
}

async function fetchKeys(
  issuer: string,
  fetchDocument: (url: string) => Promise<Record<string, unknown>>,
): Promise<readonly JWK[]> {
  const base = issuer.endsWith("/") ? issuer.slice(0, -1) : issuer;
  const discovery = await fetchDocument(`${base}/.well-known/openid-configuration`);
  // Another name in the document could be anybody's: OpenID Connect Discovery 4.3.
  if (discovery["issuer"] !== issuer) throw new Error("Its document names another issuer.");
  const { jwks_uri: location } = discovery;
  if (typeof location !== "string" || !isSafe(location, issuer)) {
    throw new Error("Its document names no jwks_uri that could be trusted.");
  }
  const { keys } = await fetchDocument(location);
  if (!Array.isArray(keys)) throw new Error("Its key set has no keys.");
  return keys.filter(isSigningKey);
}

/** Keys of an issuer behind TLS come over TLS as well. */
function isSafe(location: string, issuer: string): boolean {
  return location.startsWith("https://") || issuer.startsWith("http://");
}

function isSigningKey(key: unknown): key is JWK {
  if (typeof key !== "object" || key === null || !("kty" in key)) return false;
  const isForSigning = !("use" in key) || key.use === "sig";
  return isForSigning && (key.kty === "RSA" || key.kty === "EC");
}

async function fetchJson(
  outbound: ExternalOptions["outbound"],
  url: string,
): Promise<Record<string, unknown>> {
  const answer = await outbound(url, { totalTimeoutMs: FETCH_TIMEOUT_MS });
  if (answer.status !== 200) {
    answer.discard();
    throw new Error(`It answered with ${answer.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES_MAX)
      throw new Error(`It sent more than ${DOCUMENT_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  const content: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (typeof content === "object" && content !== null) return { ...content };
  throw new Error("It sent no JSON object.");
}

function unavailable(issuer: string, error: unknown): Problem {
  const reason = error instanceof Error ? ` ${error.message}` : "";
  return new Problem(
    503,
    "IssuerUnavailable",
    `The keys of the issuer "${issuer}" cannot be read, so its tokens cannot be checked.${reason}`,
  );
}

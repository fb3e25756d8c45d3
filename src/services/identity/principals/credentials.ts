import type { Caller } from "#platform/auth/caller.ts";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import type { NewCredential } from "../schema.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import type { CredentialRow } from "../store.ts";
import type { Kind } from "./principal.ts";
import { requirePrincipal } from "./principals.ts";
import { checkLength, DESCRIPTION_LENGTH_MAX, invalid } from "./rules.ts";

/** Enough to replace one while the other is in use, many times over. */
const CREDENTIALS_MAX = 20;

/** `secret` proves a client at the token endpoint; `apiKey` is sent with every request. */
export type Purpose = "secret" | "apiKey";
const KINDS: Readonly<Record<Purpose, readonly Kind[]>> = {
  secret: ["ServicePrincipal"],
  apiKey: ["User", "ServicePrincipal"],
};

type Needs = Pick<Context, "directory" | "environment" | "store">;

export interface CreatedCredential {
  readonly credential: CredentialRow;
  /** Never to be had again: only its hash is kept. */
  readonly secret: string;
}

export async function createCredential(
  context: Needs,
  principalId: string,
  purpose: Purpose,
  { description = "", expiresAt }: NewCredential = {},
): Promise<CreatedCredential> {
  const { directory, environment, store } = context;
  checkLength("description", description, 0, DESCRIPTION_LENGTH_MAX);
  const ends = expiresAt === undefined ? null : futureTime(context, expiresAt);
  return directory.change(async () => {
    requireKind(context, principalId, purpose);
    if (directory.credentialsOf(principalId, purpose).length >= CREDENTIALS_MAX) {
      const sentence = `The principal has ${CREDENTIALS_MAX} already, which is the most.`;
      throw new Problem(409, "CredentialLimitExceeded", sentence);
    }
    const secret = newSecret(environment);
    const credential: CredentialRow = {
      id: environment.newId(),
      principalId,
      purpose,
      hash: hashSecret(secret),
      description,
      createdAt: environment.now().toISOString(),
      expiresAt: ends,
    };
    await store.write((transaction) =>
      transaction.insertInto("credential").values(credential).execute(),
    );
    directory.addCredential(credential);
    return { credential, secret };
  });
}

export function listCredentials(
  context: Pick<Context, "directory">,
  principalId: string,
  purpose: Purpose,
): readonly CredentialRow[] {
  requirePrincipal(context, principalId);
  return context.directory.credentialsOf(principalId, purpose);
}

export async function deleteCredential(
  context: Needs,
  principalId: string,
  purpose: Purpose,
  id: string,
): Promise<void> {
  const { directory, store } = context;
  await directory.change(async () => {
    const credential = listCredentials(context, principalId, purpose).find(
      (known) => known.id === id,
    );
    if (credential === undefined) {
      const sentence = `The principal ${principalId} has no ${purpose} ${id}.`;
      throw new Problem(404, "CredentialNotFound", sentence);
    }
    await store.write((transaction) =>
      transaction.deleteFrom("credential").where("id", "=", id).execute(),
    );
    directory.removeCredential(credential);
  });
}

/** The caller that an API key stands for, while key and principal are good. */
export function findApiKey(
  { directory, environment, tenantId }: Pick<Context, "directory" | "environment" | "tenantId">,
  key: string,
): Caller | undefined {
  const credential = directory.findCredential(hashSecret(key));
  if (credential?.purpose !== "apiKey") return undefined;
  const now = environment.now().toISOString();
  if (credential.expiresAt !== null && credential.expiresAt <= now) return undefined;
  const principal = directory.get(credential.principalId);
  if (principal?.enabled !== true) return undefined;
  return { objectId: principal.id, kind: principal.kind, tenantId, scheme: "api-key" };
}

function requireKind(context: Needs, principalId: string, purpose: Purpose): void {
  const { kind } = requirePrincipal(context, principalId);
  const kinds = KINDS[purpose];
  if (kinds.includes(kind)) return;
  throw invalid(`A ${purpose} is for the kinds ${kinds.join(", ")}; ${principalId} is a ${kind}.`);
}

function futureTime({ environment }: Needs, text: string): string {
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && time > environment.now()) return time.toISOString();
  throw invalid(`The expiresAt "${text}" is not a time in the future, in ISO 8601.`);
}

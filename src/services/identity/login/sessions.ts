import type { Context } from "../context.ts";
import type { Principal } from "../principals/principal.ts";
import { hashSecret, newSecret } from "../secrets.ts";

/** A sign-in lasts a working day, in seconds. */
export const SESSION_LIFETIME_S = 8 * 3600;

export interface Session {
  readonly user: Principal;
  /** When the user entered the password. */
  readonly signedInAt: Date;
}

/** Starts a session in place of the one before, and returns what its cookie holds. */
export async function startSession(
  { store, environment }: Context,
  user: Principal,
  before: string | undefined,
): Promise<string> {
  const secret = newSecret(environment);
  const now = environment.now();
  await store.write(async (transaction) => {
    await transaction.deleteFrom("session").where("expiresAt", "<", now.toISOString()).execute();
    if (before !== undefined) {
      await transaction.deleteFrom("session").where("hash", "=", hashSecret(before)).execute();
    }
    await transaction
      .insertInto("session")
      .values({
        hash: hashSecret(secret),
        principalId: user.id,
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + SESSION_LIFETIME_S * 1000).toISOString(),
      })
      .execute();
  });
  return secret;
}

/** The session of a cookie: undefined when it is over, or the user is gone or disabled. */
export async function findSession(
  { store, environment, directory }: Context,
  secret: string | undefined,
): Promise<Session | undefined> {
  if (secret === undefined) return undefined;
  const row = await store.db
    .selectFrom("session")
    .selectAll()
    .where("hash", "=", hashSecret(secret))
    .where("expiresAt", ">", environment.now().toISOString())
    .executeTakeFirst();
  const user = row === undefined ? undefined : directory.get(row.principalId);
  if (row === undefined || user?.enabled !== true) return undefined;
  return { user, signedInAt: new Date(row.createdAt) };
}

export async function endSession({ store }: Context, secret: string | undefined): Promise<void> {
  if (secret === undefined) return;
  await store.write(async (transaction) => {
    await transaction.deleteFrom("session").where("hash", "=", hashSecret(secret)).execute();
  });
}

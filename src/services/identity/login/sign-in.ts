import type { Context } from "../context.ts";
import { nameKey, type Principal } from "../principals/principal.ts";
import { passwordMatches } from "./passwords.ts";
import { ATTEMPTS_PER_ADDRESS_MAX, ATTEMPTS_PER_USER_MAX } from "./rate-limit.ts";

export interface SignIn {
  readonly username: string;
  readonly password: string;
  readonly address: string;
}

export interface SignInRefusal {
  readonly status: number;
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A user name or password may not be longer, in characters: more is not hashed. */
const ENTRY_LENGTH_MAX = 256;

/** The user of a name and a password. Why there is none stays untold. */
export async function checkPassword(
  { directory, attempts }: Context,
  { username, password, address }: SignIn,
): Promise<{ readonly user: Principal } | SignInRefusal> {
  const name = username.trim().slice(0, ENTRY_LENGTH_MAX);
  // The address first: one that may not try any more neither counts against a user nor takes room.
  const addressWaitS = attempts.attempt(`address ${address}`, ATTEMPTS_PER_ADDRESS_MAX);
  if (addressWaitS > 0) return tooMany(addressWaitS);
  const userWaitS = attempts.attempt(`user ${nameKey(name)}`, ATTEMPTS_PER_USER_MAX);
  if (userWaitS > 0) return tooMany(userWaitS);
  const user = directory.findByName("User", name);
  const hash = user?.enabled === true ? user.passwordHash : null;
  const matches = await passwordMatches(password.slice(0, ENTRY_LENGTH_MAX), hash);
  if (user === undefined || !matches) {
    const error = "The username or the password is not right.";
    return { status: 401, error, headers: {} };
  }
  attempts.forgive(`user ${nameKey(name)}`);
  return { user };
}

export function tooMany(waitS: number): SignInRefusal {
  const minutes = Math.ceil(waitS / 60);
  const span = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const error = `There were too many attempts. Please try again in ${span}.`;
  return { status: 429, error, headers: { "retry-after": String(waitS) } };
}

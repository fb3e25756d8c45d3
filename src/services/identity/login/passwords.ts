import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** 16 MiB and about a tenth of a second, for whoever has to try many. */
const COST = { N: 16_384, r: 8, p: 5, maxmem: 64 * 1024 * 1024 };

/** `scrypt$N$r$p$salt$key`, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  const { N, r, p } = COST;
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/**
 * Whether the password is the one of this hash. Without a hash the answer is no, after the
 * same effort, so that the time tells nobody which users there are.
 */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  if (hash === null) {
    await derive(password, Buffer.alloc(SALT_BYTES), COST);
    return false;
  }
  const [, n, r, p, salt = "", expected = ""] = hash.split("$");
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const key = await derive(password, Buffer.from(salt, "base64url"), cost);
  const wanted = Buffer.from(expected, "base64url");
  return key.length === wanted.length && timingSafeEqual(key, wanted);
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same text can be typed as different code points; all of them are the same password.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, cost, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

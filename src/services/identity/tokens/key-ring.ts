import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";
import type { Environment } from "#platform/environment.ts";
import { Problem } from "#platform/problem.ts";
import type { Sealer } from "#platform/seal.ts";
import type { Store } from "#platform/store/store.ts";
import type { IdentityTables, SigningKeyRow } from "../store.ts";
import { CLOCK_TOLERANCE_S, TOKEN_LIFETIME_MAX_S } from "./lifetimes.ts";

const KEY_BITS = 2048;
const PURPOSE = "identity signing key";
const generate = promisify(generateKeyPair);

export interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly publicJwk: JWK;
  readonly privateKey: KeyObject;
  readonly signsFrom: Date;
}

export interface KeyRing {
  /** Resolves once there is a key to sign with. */
  readonly ready: Promise<void>;
  readonly isReady: () => boolean;
  /** The key that signs now. */
  readonly signer: () => Promise<SigningKey>;
  /** Every key that a valid token may be signed with, now or soon. */
  readonly published: () => Promise<readonly SigningKey[]>;
  readonly find: (kid: string) => SigningKey | undefined;
  /** Publishes a new key, which signs after a while; 409 while one is waiting already. */
  readonly rotate: () => Promise<SigningKey>;
}

export interface KeyRingOptions {
  readonly store: Store<IdentityTables>;
  readonly sealer: Sealer;
  readonly environment: Environment;
  /** How long a new key is published before it signs, in seconds. */
  readonly publishAheadS: number;
}

/** Opens the keys. The first start makes one, in the background: it takes a good while. */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const { store, sealer, environment, publishAheadS } = options;
  const rows = await store.db.selectFrom("signingKey").selectAll().execute();
  let keys = rows.map((row) => keyOf(row, sealer)).toSorted(bySignsFrom);
  let isReady = keys.length > 0;
  const ready = isReady ? Promise.resolve() : make(0).then(() => undefined);
  // Whoever awaits it gets the reason; nobody may be awaiting it yet.
  ready.catch(() => undefined);
  let isRotating = false;

  async function make(aheadS: number): Promise<SigningKey> {
    const signsFrom = new Date(environment.now().getTime() + aheadS * 1000);
    const { row, key } = await newKey(signsFrom, sealer);
    const kept = publishedOf(keys, environment.now());
    await store.write(async (transaction) => {
      for (const { kid } of keys.filter((known) => !kept.includes(known))) {
        await transaction.deleteFrom("signingKey").where("kid", "=", kid).execute();
      }
      await transaction.insertInto("signingKey").values(row).execute();
    });
    keys = [...kept, key].toSorted(bySignsFrom);
    isReady = true;
    return key;
  }

  return {
    ready,
    isReady: () => isReady,
    find: (kid) => publishedOf(keys, environment.now()).find((key) => key.kid === kid),
    async signer() {
      await ready;
      return signerOf(keys, environment.now());
    },
    async published() {
      await ready;
      return publishedOf(keys, environment.now());
    },
    async rotate() {
      await ready;
      const next = keys.find(({ signsFrom }) => signsFrom > environment.now());
      if (next !== undefined || isRotating) throw alreadyRotating(next);
      isRotating = true;
      try {
        return await make(publishAheadS);
      } finally {
        isRotating = false;
      }
    },
  };
}

/** A key is published until the last token that it can have signed is over. */
function publishedOf(keys: readonly SigningKey[], now: Date): readonly SigningKey[] {
  const livesMs = (TOKEN_LIFETIME_MAX_S + CLOCK_TOLERANCE_S) * 1000;
  return keys.filter((_key, index) => {
    const next = keys[index + 1];
    return next === undefined || next.signsFrom.getTime() + livesMs > now.getTime();
  });
}

function signerOf(keys: readonly SigningKey[], now: Date): SigningKey {
  const key = keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
  if (key === undefined) throw new Error("There is no signing key.");
  return key;
}

function alreadyRotating(next: SigningKey | undefined): Problem {
  const when = next === undefined ? "soon" : `from ${next.signsFrom.toISOString()}`;
  return new Problem(
    409,
    "KeyRotationPending",
    `A new signing key is published already and signs ${when}; rotate again after that.`,
  );
}

async function newKey(signsFrom: Date, sealer: Sealer) {
  const { publicKey, privateKey } = await generate("rsa", { modulusLength: KEY_BITS });
  const kid = await calculateJwkThumbprint(publicKey.export({ format: "jwk" }));
  const row: SigningKeyRow = {
    kid,
    privateKey: sealer.seal(privateKey.export({ type: "pkcs8", format: "der" }), PURPOSE),
    signsFrom: signsFrom.toISOString(),
  };
  return { row, key: signingKey(kid, privateKey, signsFrom) };
}

function keyOf(row: SigningKeyRow, sealer: Sealer): SigningKey {
  const key = Buffer.from(sealer.open(row.privateKey, PURPOSE));
  const privateKey = createPrivateKey({ key, type: "pkcs8", format: "der" });
  return signingKey(row.kid, privateKey, new Date(row.signsFrom));
}

function signingKey(kid: string, privateKey: KeyObject, signsFrom: Date): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const publicJwk = { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
  return { kid, publicKey, publicJwk, privateKey, signsFrom };
}

function bySignsFrom(one: SigningKey, other: SigningKey): number {
  return one.signsFrom.getTime() - other.signsFrom.getTime();
}

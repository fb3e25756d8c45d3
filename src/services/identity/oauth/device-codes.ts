import type { Transaction } from "kysely";
import { Problem } from "#platform/problem.ts";
import type { Environment } from "#platform/environment.ts";
import type { Context } from "../context.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import type { DeviceRow, IdentityTables } from "../store.ts";
import type { Client } from "./clients.ts";
import { readContent, type TicketContent } from "./tickets.ts";

/** How long a user has to enter the code, in seconds. */
export const DEVICE_LIFETIME_S = 900;
/** How often a device may ask, in seconds; asking too early makes it longer by as much. */
export const DEVICE_INTERVAL_S = 5;
/** When to ask for a code again while there are too many, in seconds. */
const DEVICE_RETRY_S = 60;
/** Codes that are open at a time, from everywhere and from one address. */
const DEVICES_MAX = 10_000;
export const DEVICES_PER_ADDRESS_MAX = 100;
/** No vowels, so that no words come about, and nothing that is mistaken for something else. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;

export interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
}

export interface DeviceRequest {
  readonly content: TicketContent;
  /** Where it comes from. */
  readonly address: string;
}

export async function issueDeviceCode(
  { store, environment }: Context,
  client: Client,
  { content, address }: DeviceRequest,
): Promise<DeviceCode> {
  const deviceCode = newSecret(environment);
  const userCode = newUserCode(environment);
  const now = environment.now();
  await store.write(async (transaction) => {
    // A code that is over is kept a while longer, so that the device learns what happened.
    const longOver = new Date(now.getTime() - DEVICE_LIFETIME_S * 1000).toISOString();
    await transaction.deleteFrom("device").where("expiresAt", "<", longOver).execute();
    await requireRoom(transaction, address, now);
    await transaction
      .insertInto("device")
      .values({
        hash: hashSecret(deviceCode),
        userCode,
        clientId: client.principal.id,
        content: JSON.stringify(content),
        state: "pending",
        principalId: null,
        intervalS: DEVICE_INTERVAL_S,
        polledAt: new Date(0).toISOString(),
        expiresAt: new Date(now.getTime() + DEVICE_LIFETIME_S * 1000).toISOString(),
        address,
      })
      .execute();
  });
  return { deviceCode, userCode };
}

/** Refuses what is too much; codes that are over do not count. One address cannot take them all. */
async function requireRoom(
  transaction: Transaction<IdentityTables>,
  address: string,
  now: Date,
): Promise<void> {
  const open = await transaction
    .selectFrom("device")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirstOrThrow();
  if (Number(open.count) >= DEVICES_MAX) {
    throw tooMany(503, `${DEVICES_MAX} device codes are open.`);
  }
  const own = await transaction
    .selectFrom("device")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("expiresAt", ">", now.toISOString())
    .where("address", "=", address)
    .executeTakeFirstOrThrow();
  if (Number(own.count) < DEVICES_PER_ADDRESS_MAX) return;
  throw tooMany(429, `${DEVICES_PER_ADDRESS_MAX} device codes from ${address} are open.`);
}

function tooMany(status: number, sentence: string): Problem {
  const headers = { "retry-after": String(DEVICE_RETRY_S) };
  return new Problem(status, "temporarily_unavailable", sentence, { headers });
}

/** The open code that a user has typed, in whatever way. */
export async function findUserCode(
  { store, environment }: Context,
  typed: string,
): Promise<DeviceRow | undefined> {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "");
  return store.db
    .selectFrom("device")
    .selectAll()
    .where("userCode", "=", shown(letters))
    .where("state", "=", "pending")
    .where("expiresAt", ">", environment.now().toISOString())
    .executeTakeFirst();
}

/** The user's answer: true unless the code was answered or is over by now. */
export async function answerDevice(
  { store, environment }: Context,
  { hash }: DeviceRow,
  answer: { readonly state: "approved" | "denied"; readonly principalId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await store.write((transaction) =>
    transaction
      .updateTable("device")
      .set(answer)
      .where("hash", "=", hash)
      .where("state", "=", "pending")
      .where("expiresAt", ">", environment.now().toISOString())
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

export interface ApprovedDevice {
  readonly principalId: string;
  readonly content: TicketContent;
}

/** What the device gets when it asks: an approval, once, or a refusal of RFC 8628, section 3.5. */
export async function pollDevice(
  context: Context,
  client: Client,
  deviceCode: string,
): Promise<ApprovedDevice> {
  const hash = hashSecret(deviceCode);
  const now = context.environment.now();
  const outcome = await context.store.write(async (transaction) => {
    const row = await transaction
      .selectFrom("device")
      .selectAll()
      .where("hash", "=", hash)
      .where("clientId", "=", client.principal.id)
      .executeTakeFirst();
    if (row === undefined) return refusal("invalid_grant", "The device_code is not known.");
    const step = nextStep(row, now);
    if (step === "approved" || step === "denied") {
      await transaction.deleteFrom("device").where("hash", "=", hash).execute();
    } else if (step !== "expired") {
      const slower = step === "early" ? DEVICE_INTERVAL_S : 0;
      await transaction
        .updateTable("device")
        .set({ polledAt: now.toISOString(), intervalS: row.intervalS + slower })
        .where("hash", "=", hash)
        .execute();
    }
    return answerOf(row, step);
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

type Step = "approved" | "denied" | "early" | "expired" | "pending";

function nextStep(row: DeviceRow, now: Date): Step {
  if (row.expiresAt <= now.toISOString()) return "expired";
  const dueMs = Date.parse(row.polledAt) + row.intervalS * 1000;
  if (now.getTime() < dueMs) return "early";
  if (row.state === "approved" || row.state === "denied") return row.state;
  return "pending";
}

function answerOf(row: DeviceRow, step: Step): ApprovedDevice | Problem {
  if (step === "approved") {
    return { principalId: row.principalId ?? "", content: readContent(row.content) };
  }
  const [code, sentence] = REFUSALS[step];
  return refusal(code, sentence);
}

const REFUSALS: Readonly<Record<Exclude<Step, "approved">, readonly [string, string]>> = {
  denied: ["access_denied", "The user has refused."],
  early: ["slow_down", `Ask less often: ${DEVICE_INTERVAL_S} s more between requests.`],
  expired: ["expired_token", "The user has not entered the code in time."],
  pending: ["authorization_pending", "The user has not entered the code yet."],
};

function refusal(code: string, sentence: string): Problem {
  return new Problem(400, code, sentence);
}

function newUserCode({ randomBytes }: Environment): string {
  let letters = "";
  while (letters.length < USER_CODE_LENGTH) {
    for (const byte of randomBytes(USER_CODE_LENGTH)) {
      // 240 is a multiple of 20, so that every letter is as likely as any other.
      if (byte >= 240 || letters.length >= USER_CODE_LENGTH) continue;
      letters += LETTERS[byte % LETTERS.length] ?? "";
    }
  }
  return shown(letters);
}

/** `ABCD-EFGH`: two groups are easier to read and to type. */
function shown(letters: string): string {
  const half = USER_CODE_LENGTH / 2;
  return `${letters.slice(0, half)}-${letters.slice(half)}`;
}

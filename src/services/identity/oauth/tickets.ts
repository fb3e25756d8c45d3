import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import type { Context } from "../context.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import { Target } from "./target.ts";

/** An authorization code is exchanged at once, by a program: seconds. */
const CODE_LIFETIME_S = 60;
/** A refresh token that is not used for so long is over: 14 days, in seconds. */
const REFRESH_LIFETIME_S = 14 * 24 * 3600;

const TicketContent = Type.Object({
  target: Target,
  /** `client_id` as the client wrote it. */
  clientName: Type.String(),
  signedInAt: Type.Optional(Type.String()),
  nonce: Type.Optional(Type.String()),
  redirectUri: Type.Optional(Type.String()),
  codeChallenge: Type.Optional(Type.String()),
});
/** What a code or a refresh token stands for. Stored under its hash. */
export type TicketContent = Static<typeof TicketContent>;

export function readContent(text: string): TicketContent {
  return Value.Parse(TicketContent, JSON.parse(text));
}

export interface Ticket {
  readonly kind: "code" | "refresh";
  /** All refresh tokens that follow from one sign-in. */
  readonly family: string;
  readonly principalId: string;
  readonly clientId: string;
  readonly content: TicketContent;
}

const LIFETIME_S = { code: CODE_LIFETIME_S, refresh: REFRESH_LIFETIME_S };

/** Stores a ticket and returns the secret that it is redeemed with. */
export async function issueTicket(
  { store, environment }: Context,
  { kind, family, principalId, clientId, content }: Ticket,
): Promise<string> {
  const secret = newSecret(environment);
  const now = environment.now();
  await store.write(async (transaction) => {
    await transaction.deleteFrom("ticket").where("expiresAt", "<=", now.toISOString()).execute();
    await transaction
      .insertInto("ticket")
      .values({
        hash: hashSecret(secret),
        kind,
        family,
        principalId,
        clientId,
        content: JSON.stringify(content),
        usedAt: null,
        expiresAt: new Date(now.getTime() + LIFETIME_S[kind] * 1000).toISOString(),
      })
      .execute();
  });
  return secret;
}

/**
 * Takes a ticket: of several that try, one succeeds. A refresh token that is used again was
 * copied, by whoever is second or by whoever was first, so everything that followed from the
 * same sign-in ends with it (RFC 9700, section 4.14.2).
 */
export async function takeTicket(
  { store, environment }: Context,
  kind: Ticket["kind"],
  secret: string,
  isFor: (ticket: Ticket) => boolean,
): Promise<Ticket | undefined> {
  const hash = hashSecret(secret);
  const now = environment.now().toISOString();
  return store.write(async (transaction) => {
    const row = await transaction
      .selectFrom("ticket")
      .selectAll()
      .where("hash", "=", hash)
      .where("kind", "=", kind)
      .where("expiresAt", ">", now)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const content = readContent(row.content);
    const { family, principalId, clientId } = row;
    const ticket: Ticket = { kind, family, principalId, clientId, content };
    // Somebody else's client does not use it up.
    if (!isFor(ticket)) return undefined;
    const taken = await transaction
      .updateTable("ticket")
      .set({ usedAt: now })
      .where("hash", "=", hash)
      .where("usedAt", "is", null)
      .executeTakeFirst();
    if (taken.numUpdatedRows === 1n) return ticket;
    if (kind === "refresh") {
      await transaction.deleteFrom("ticket").where("family", "=", row.family).execute();
    }
    return undefined;
  });
}

import type { CreateTableBuilder, Kysely } from "kysely";
import type { ColumnTypes, Migration } from "#platform/store/store.ts";

export interface SettingRow {
  readonly name: string;
  readonly value: string;
}

export interface PrincipalRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The name as it is compared: lower case. */
  readonly nameKey: string;
  readonly displayName: string;
  readonly enabled: number;
  /** scrypt, with its salt and its parameters. */
  readonly passwordHash: string | null;
  /** JSON. */
  readonly redirectUris: string;
  readonly publicClient: number;
  readonly implicitFlow: number;
  readonly externalIssuer: string | null;
  readonly externalSubject: string | null;
  readonly createdAt: string;
}

export interface MembershipRow {
  readonly groupId: string;
  readonly memberId: string;
}

export interface CredentialRow {
  readonly id: string;
  readonly principalId: string;
  readonly purpose: string;
  readonly hash: string;
  readonly description: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export interface SigningKeyRow {
  readonly kid: string;
  /** PKCS #8, sealed. */
  readonly privateKey: Uint8Array;
  readonly signsFrom: string;
}

export interface SessionRow {
  readonly hash: string;
  readonly principalId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface TicketRow {
  readonly hash: string;
  /** `code` or `refresh`. */
  readonly kind: string;
  /** All refresh tokens that follow from one sign-in. */
  readonly family: string;
  readonly principalId: string;
  readonly clientId: string;
  /** JSON. */
  readonly content: string;
  readonly usedAt: string | null;
  readonly expiresAt: string;
}

export interface DeviceRow {
  readonly hash: string;
  readonly userCode: string;
  readonly clientId: string;
  /** JSON. */
  readonly content: string;
  /** `pending`, `approved` or `denied`. */
  readonly state: string;
  readonly principalId: string | null;
  readonly intervalS: number;
  readonly polledAt: string;
  readonly expiresAt: string;
  /** Where the code was asked for from. */
  readonly address: string;
}

export interface IdentityTables {
  readonly setting: SettingRow;
  readonly principal: PrincipalRow;
  readonly membership: MembershipRow;
  readonly credential: CredentialRow;
  readonly signingKey: SigningKeyRow;
  readonly session: SessionRow;
  readonly ticket: TicketRow;
  readonly device: DeviceRow;
}

export const migrations: readonly Migration[] = [
  async (schema, types) => {
    await createDirectory(schema, types);
    await createTokens(schema, types);
  },
  async ({ schema }, { text }) => {
    await schema
      .alterTable("device")
      .addColumn("address", text, (column) => column.notNull().defaultTo(""))
      .execute();
  },
];

async function createDirectory({ schema }: Kysely<unknown>, { text, integer }: ColumnTypes) {
  await withText(schema.createTable("setting"), text, ["value"])
    .addColumn("name", text, (column) => column.primaryKey())
    .execute();
  const own = ["kind", "name", "name_key", "display_name", "redirect_uris", "created_at"];
  await withText(schema.createTable("principal"), text, own)
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("enabled", integer, (column) => column.notNull())
    .addColumn("password_hash", text)
    .addColumn("public_client", integer, (column) => column.notNull())
    .addColumn("implicit_flow", integer, (column) => column.notNull())
    .addColumn("external_issuer", text)
    .addColumn("external_subject", text)
    .addUniqueConstraint("principal_name_once", ["kind", "name_key"])
    .addUniqueConstraint("principal_link_once", ["external_issuer", "external_subject"])
    .execute();
  await withText(schema.createTable("membership"), text, ["group_id", "member_id"])
    .addPrimaryKeyConstraint("membership_once", ["group_id", "member_id"])
    .execute();
  const secret = ["principal_id", "purpose", "hash", "description", "created_at"];
  await withText(schema.createTable("credential"), text, secret)
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("expires_at", text)
    .addUniqueConstraint("credential_hash_once", ["hash"])
    .execute();
}

async function createTokens({ schema }: Kysely<unknown>, { text, integer, bytes }: ColumnTypes) {
  await withText(schema.createTable("signing_key"), text, ["signs_from"])
    .addColumn("kid", text, (column) => column.primaryKey())
    .addColumn("private_key", bytes, (column) => column.notNull())
    .execute();
  const session = ["principal_id", "created_at", "expires_at"];
  await withText(schema.createTable("session"), text, session)
    .addColumn("hash", text, (column) => column.primaryKey())
    .execute();
  const ticket = ["kind", "family", "principal_id", "client_id", "content", "expires_at"];
  await withText(schema.createTable("ticket"), text, ticket)
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("used_at", text)
    .execute();
  const device = ["user_code", "client_id", "content", "state", "polled_at", "expires_at"];
  await withText(schema.createTable("device"), text, device)
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("principal_id", text)
    .addColumn("interval_s", integer, (column) => column.notNull())
    .addUniqueConstraint("device_user_code_once", ["user_code"])
    .execute();
  for (const table of ["session", "ticket", "device"]) {
    await schema.createIndex(`${table}_expiry`).on(table).column("expires_at").execute();
  }
}

/** Adds columns of text that always hold some. */
function withText(
  table: CreateTableBuilder<string>,
  text: ColumnTypes["text"],
  names: readonly string[],
): CreateTableBuilder<string, string> {
  return names.reduce<CreateTableBuilder<string, string>>(
    (built, name) => built.addColumn(name, text, (column) => column.notNull()),
    table,
  );
}

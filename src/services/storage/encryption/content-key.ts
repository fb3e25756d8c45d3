import { Problem } from "#platform/problem.ts";
import type { AnswerHeaders, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { headerValue } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";
import type { BlobRow, ContainerRow } from "../store.ts";
import { customerKeyOf, sourceKeyOf, type CustomerKey } from "./customer-key.ts";

/** How the content of a blob is encrypted: by a customer's key, by a scope, or not at all. */
export type Encryption = Pick<BlobRow, "encryptionKeySha256" | "encryptionScope">;

/** The same, with the key in hand. */
export interface ContentKey extends Encryption {
  /** AES-256; undefined where the content is not encrypted. */
  readonly key: Uint8Array | undefined;
}

/** The name that stands for no scope. */
export const ACCOUNT_SCOPE = "$account-encryption-key";
const SCOPE_HEADER = "x-svc-encryption-scope";

/** What the columns of a blob say of a key. */
export function encryptionOf({ encryptionKeySha256, encryptionScope }: Encryption): Encryption {
  return { encryptionKeySha256, encryptionScope };
}

/**
 * The key of content that a request makes: the one it brings, that of the scope it names, or that
 * of the container's default scope. Refuses what the container does not allow.
 */
export function newContentKey(context: Context, call: Call, container: ContainerRow): ContentKey {
  const { defaultEncryptionScope, denyEncryptionScopeOverride } = container;
  const customer = customerKeyOf(context, call);
  const asked = askedScope(call);
  refuseBoth(customer, call);
  const isOther =
    customer !== undefined || (asked !== undefined && asked !== defaultEncryptionScope);
  if (isOther && denyEncryptionScopeOverride === 1) {
    throw new Problem(
      403,
      "RequestForbiddenByContainerEncryptionPolicy",
      `What is written to the container "${call.container}" is encrypted by its default scope ` +
        `"${defaultEncryptionScope ?? ACCOUNT_SCOPE}", and it denies any other.`,
    );
  }
  if (customer !== undefined) return ofCustomer(customer);
  return ofScope(context, call.account, asked === undefined ? defaultEncryptionScope : asked);
}

/** The key of a blob, to read it with. Refuses a request that does not bring the blob's key. */
export function readingKey(context: Context, call: Call, blob: Encryption): ContentKey {
  return keyOf(context, call.account, blob, customerKeyOf(context, call));
}

/** The same, to write more of it; the scope need not be named, but may be no other. */
export function writingKey(context: Context, call: Call, blob: Encryption): ContentKey {
  const customer = customerKeyOf(context, call);
  const asked = askedScope(call);
  refuseBoth(customer, call);
  if (asked !== undefined && asked !== blob.encryptionScope) throw mismatch();
  return keyOf(context, call.account, blob, customer);
}

/** Refuses a key that is not the blob's, where it is sent though it is not needed. */
export function requireSentKey(context: Context, call: Call, blob: Encryption): void {
  const customer = customerKeyOf(context, call);
  if (customer === undefined) return;
  requireSameEncryption(blob, { ...blob, encryptionKeySha256: customer.sha256 });
}

/** The key of a copy source in this store. */
export function sourceKey(
  context: Context,
  call: Call,
  account: string,
  blob: Encryption,
): ContentKey {
  return keyOf(context, account, blob, sourceKeyOf(context, call));
}

/** Refuses what is encrypted otherwise, for the moment of a decision. */
export function requireSameEncryption(existing: Encryption, used: Encryption): void {
  if (existing.encryptionKeySha256 === used.encryptionKeySha256) {
    if (existing.encryptionScope !== used.encryptionScope) throw mismatch();
    return;
  }
  if (used.encryptionKeySha256 === null) {
    const said = "The content is encrypted with a customer's key, and the request brings none.";
    throw new Problem(409, "BlobUsesCustomerSpecifiedEncryption", said);
  }
  if (existing.encryptionKeySha256 !== null) throw mismatch();
  const said = "The request brings a key, and the content is not encrypted with a customer's key.";
  throw new Problem(409, "BlobDoesNotUseCustomerSpecifiedEncryption", said);
}

/**
 * Whether what is made of a source lies under the same key, so that it may refer to its bytes.
 * Accounts may have scopes of one name, which have different keys.
 */
export function isSharable(source: Encryption, made: Encryption, isOneAccount: boolean): boolean {
  return (
    source.encryptionKeySha256 === made.encryptionKeySha256 &&
    source.encryptionScope === made.encryptionScope &&
    (isOneAccount || source.encryptionScope === null)
  );
}

/** Refuses a source whose bytes what is made of it may not refer to. */
export function requireSharable(source: Encryption, made: Encryption, isOneAccount: boolean): void {
  requireSameEncryption(source, made);
  if (!isSharable(source, made, isOneAccount)) throw mismatch();
}

/** What the answer to a write says of the encryption. */
export function encryptedHeader(encryption: Encryption, version: string): AnswerHeaders {
  if (version < SINCE.encryptionHeader) return {};
  const isEncrypted = String(isAtAll(encryption));
  return { "x-svc-request-server-encrypted": isEncrypted, ...keyHeaders(encryption, version) };
}

/** What the properties of a blob say of it. */
export function encryptionProperties(encryption: Encryption, version: string): AnswerHeaders {
  if (version < SINCE.encryptionHeader) return {};
  const isEncrypted = String(isAtAll(encryption));
  return { "x-svc-server-encrypted": isEncrypted, ...keyHeaders(encryption, version) };
}

export function isAtAll({ encryptionKeySha256, encryptionScope }: Encryption): boolean {
  return encryptionKeySha256 !== null || encryptionScope !== null;
}

function keyHeaders(encryption: Encryption, version: string): AnswerHeaders {
  if (version < SINCE.encryption) return {};
  return {
    "x-svc-encryption-key-sha256": encryption.encryptionKeySha256 ?? undefined,
    [SCOPE_HEADER]: encryption.encryptionScope ?? undefined,
  };
}

function keyOf(
  context: Context,
  account: string,
  blob: Encryption,
  customer: CustomerKey | undefined,
): ContentKey {
  const sent = customer?.sha256 ?? null;
  requireSameEncryption(blob, { ...blob, encryptionKeySha256: sent });
  return customer === undefined
    ? ofScope(context, account, blob.encryptionScope)
    : ofCustomer(customer);
}

function ofCustomer({ key, sha256 }: CustomerKey): ContentKey {
  return { encryptionKeySha256: sha256, encryptionScope: null, key };
}

function ofScope({ scopes }: Context, account: string, scope: string | null): ContentKey {
  const key = scope === null ? undefined : scopes.keyOf(account, scope);
  return { encryptionKeySha256: null, encryptionScope: scope, key };
}

/** The scope that the request names, by its header or its signature; null for the account's own. */
function askedScope(call: Call): string | null | undefined {
  const named = headerValue(call.headers, SCOPE_HEADER);
  const signed = signedScope(call);
  if (named !== undefined && signed !== undefined && named !== signed) {
    throw otherThanSigned(signed, `the scope "${named}"`);
  }
  const asked = named ?? signed;
  return asked === ACCOUNT_SCOPE ? null : asked;
}

/** The scope that the signature of a request is bound to. */
function signedScope({ query, isBySignature }: Call): string | undefined {
  const scope = isBySignature ? query.get("ses") : undefined;
  return scope === "" ? undefined : scope;
}

function refuseBoth(customer: CustomerKey | undefined, call: Call): void {
  if (customer === undefined) return;
  const signed = signedScope(call);
  if (signed !== undefined) throw otherThanSigned(signed, "a customer's key");
  const scope = headerValue(call.headers, SCOPE_HEADER);
  if (scope === undefined) return;
  const said = `${SCOPE_HEADER} is "${scope}", and the request brings a key: it is one of them.`;
  throw new Problem(400, "InvalidHeaderValue", said, {
    fields: { HeaderName: SCOPE_HEADER, HeaderValue: scope },
  });
}

function otherThanSigned(signed: string, asked: string): Problem {
  const said = `The signature is for the encryption scope "${signed}" (ses), not for ${asked}.`;
  return new Problem(403, "AuthorizationPermissionMismatch", said);
}

function mismatch(): Problem {
  const said = "The content is encrypted with another key or scope than the request names.";
  return new Problem(409, "BlobCustomerSpecifiedEncryptionMismatch", said);
}

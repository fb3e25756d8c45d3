import { createHmac } from "node:crypto";

/** What a user delegation key is bound to; times as written. */
export interface DelegationKeyFields {
  readonly objectId: string;
  readonly tenantId: string;
  readonly start: string;
  readonly expiry: string;
  readonly service: string;
  readonly version: string;
  /** Empty unless users of this tenant only may use what the key signs. */
  readonly delegatedTenantId: string;
}

/**
 * A key for one principal and time. It is derived, not stored: the fields come back with each
 * signature, and whoever does not have the account's secret cannot make another one out of them.
 */
export function delegationKey(secret: Uint8Array, fields: DelegationKeyFields): Uint8Array {
  const { objectId, tenantId, start, expiry, service, version, delegatedTenantId } = fields;
  const bound = [objectId, tenantId, start, expiry, service, version, delegatedTenantId];
  const text = JSON.stringify(["user delegation key", ...bound]);
  return createHmac("sha256", secret).update(text).digest();
}

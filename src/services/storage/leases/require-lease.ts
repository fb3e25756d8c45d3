import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { leaseIdHeader } from "./lease-id.ts";
import { isLocked, leaseState, readLease } from "./lease.ts";

type Kind = "Blob" | "Container";

/** What a request is checked against. */
export interface Leased {
  readonly kind: Kind;
  /** As the container or blob keeps it; null where nothing is there yet. */
  readonly lease: string | null;
}

/**
 * Refuses, with 412, a write without the id of the lease that locks its target, or with an id
 * where nothing is locked. Returns the lease that the target has after the write: one that has
 * expired or was broken is forgotten.
 */
export function requireWriteLease(
  headers: IncomingHttpHeaders,
  { kind, lease }: Leased,
  now: Date,
): string | null {
  const sent = leaseIdHeader(headers, "x-svc-lease-id");
  if (lease === null && sent === undefined) return null;
  const isLeased = checkSent(sent, { kind, lease }, now);
  if (!isLeased) return null;
  if (sent !== undefined) return lease;
  const said = `There is a lease on the ${kind.toLowerCase()}, and x-svc-lease-id was not sent.`;
  throw new Problem(412, "LeaseIdMissing", said);
}

/** Refuses, with 412, a read that names another lease than the one that is there. */
export function requireReadLease(headers: IncomingHttpHeaders, leased: Leased, now: Date): void {
  checkSent(leaseIdHeader(headers, "x-svc-lease-id"), leased, now);
}

/** Whether the target is locked; an id that was sent has to be the one that locks it. */
function checkSent(sent: string | undefined, { kind, lease }: Leased, now: Date): boolean {
  const found = readLease(lease);
  const isLeased = isLocked(leaseState(found, now));
  if (sent === undefined) return isLeased;
  const target = kind.toLowerCase();
  if (!isLeased) {
    const said = `x-svc-lease-id was sent, and there is no lease on the ${target}.`;
    throw new Problem(412, `LeaseNotPresentWith${kind}Operation`, said);
  }
  if (found?.id !== sent) {
    const said = `x-svc-lease-id is "${sent}", which is not the lease on the ${target}.`;
    throw new Problem(412, `LeaseIdMismatchWith${kind}Operation`, said);
  }
  return true;
}

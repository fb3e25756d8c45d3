import { Problem } from "#platform/problem.ts";
import { ENDLESS, leaseState, type Lease, type LeaseState } from "./lease.ts";

/** What a request wants of a lease. Ids are GUIDs in lower case. */
export type LeaseAction =
  | { readonly kind: "acquire"; readonly id: string; readonly seconds: number }
  | { readonly kind: "break"; readonly seconds: number | undefined }
  | { readonly kind: "change"; readonly id: string; readonly proposed: string }
  | { readonly kind: "release"; readonly id: string }
  | { readonly kind: "renew"; readonly id: string };

interface Found {
  /** Undefined while available. */
  readonly lease: Lease | undefined;
  readonly state: LeaseState;
  /** Milliseconds. */
  readonly now: number;
}

/** The lease after an action, undefined when there is none any more. Refusals are 409. */
export function afterAction(
  lease: Lease | undefined,
  action: LeaseAction,
  now: Date,
): Lease | undefined {
  const found = { lease, state: leaseState(lease, now), now: now.getTime() };
  if (action.kind === "acquire") return acquire(found, action);
  if (action.kind === "break") return breakLease(found, action.seconds);
  if (action.kind === "change") return change(found, action);
  if (action.kind === "renew") return renew(found, action.id);
  requireSameId(found, action.id);
  return undefined;
}

function acquire({ lease, state, now }: Found, { id, seconds }: Wanted): Lease {
  const isSame = lease?.id === id;
  if (state === "breaking" && isSame) {
    throw refused("LeaseIsBreakingAndCannotBeAcquired", "The lease is being broken.");
  }
  if (state === "breaking" || (state === "leased" && !isSame)) {
    throw refused("LeaseAlreadyPresent", "There is a lease with another id already.");
  }
  return { id, seconds, expiresAt: expiryOf(seconds, now), breaksAt: null };
}

type Wanted = Pick<Lease, "id" | "seconds">;

function renew(found: Found, id: string): Lease {
  const lease = requireSameId(found, id);
  if (lease.breaksAt !== null) {
    const said = "The lease was broken, or is being broken; acquire another one.";
    throw refused("LeaseIsBrokenAndCannotBeRenewed", said);
  }
  return { ...lease, expiresAt: expiryOf(lease.seconds, found.now) };
}

function change(
  { lease, state }: Found,
  { id, proposed }: { readonly id: string; readonly proposed: string },
): Lease {
  if (lease === undefined || state === "broken" || state === "expired") throw notPresent();
  // A change that is sent again finds the lease with its new id already.
  if (lease.id !== id && lease.id !== proposed) throw mismatch(id);
  if (state === "breaking") {
    throw refused("LeaseIsBreakingAndCannotBeChanged", "The lease is being broken.");
  }
  return { ...lease, id: proposed };
}

/** `seconds` is the longest that the holder may keep the lease. */
function breakLease({ lease, state, now }: Found, seconds: number | undefined): Lease {
  if (lease === undefined) throw notPresent();
  if (state === "broken") return lease;
  if (state === "expired") return { ...lease, breaksAt: now };
  const end = lease.breaksAt ?? lease.expiresAt;
  const asked = seconds === undefined ? undefined : now + seconds * 1000;
  return { ...lease, breaksAt: Math.min(end ?? asked ?? now, asked ?? end ?? now) };
}

function requireSameId({ lease }: Found, id: string): Lease {
  if (lease?.id === id) return lease;
  throw mismatch(id);
}

function expiryOf(seconds: number, now: number): number | null {
  return seconds === ENDLESS ? null : now + seconds * 1000;
}

function mismatch(id: string): Problem {
  const said = `x-svc-lease-id is "${id}", which is not the id of the lease.`;
  return refused("LeaseIdMismatchWithLeaseOperation", said);
}

function notPresent(): Problem {
  return refused("LeaseNotPresentWithLeaseOperation", "There is no lease.");
}

function refused(code: string, message: string): Problem {
  return new Problem(409, code, message);
}

import type { AnswerHeaders } from "../call.ts";
import { SINCE } from "../protocol/versions.ts";

/** Seconds of a lease that does not end by itself. */
export const ENDLESS = -1;

/** A lease as it was taken; what has become of it is told by the clock. Times in milliseconds. */
export interface Lease {
  /** A GUID in lower case. */
  readonly id: string;
  /** Seconds that it was taken for, or `ENDLESS`. */
  readonly seconds: number;
  /** Null where it is endless. */
  readonly expiresAt: number | null;
  /** When it is broken; null while nobody has asked for that. */
  readonly breaksAt: number | null;
}

export type LeaseState = "available" | "breaking" | "broken" | "expired" | "leased";

/** A lease as a container or blob keeps it; undefined where there is none to remember. */
export function readLease(stored: string | null): Lease | undefined {
  if (stored === null) return undefined;
  const lease: Lease = JSON.parse(stored);
  return lease;
}

export function leaseState(lease: Lease | undefined, now: Date): LeaseState {
  if (lease === undefined) return "available";
  const time = now.getTime();
  if (lease.breaksAt !== null) return time < lease.breaksAt ? "breaking" : "broken";
  return lease.expiresAt === null || time < lease.expiresAt ? "leased" : "expired";
}

/** Whether writes need the lease's id. */
export function isLocked(state: LeaseState): boolean {
  return state === "leased" || state === "breaking";
}

/** What properties and listings tell of a lease. */
export interface ShownLease {
  readonly status: "locked" | "unlocked";
  readonly state: LeaseState;
  /** Told while leased. */
  readonly duration: "fixed" | "infinite" | undefined;
}

export function shownLease(stored: string | null, now: Date): ShownLease {
  const lease = readLease(stored);
  const state = leaseState(lease, now);
  const kind = lease?.seconds === ENDLESS ? "infinite" : "fixed";
  return {
    status: isLocked(state) ? "locked" : "unlocked",
    state,
    duration: state === "leased" ? kind : undefined,
  };
}

/** The same as the headers of an answer; versions before 2012-02-12 do not know them. */
export function leaseHeaders(stored: string | null, version: string, now: Date): AnswerHeaders {
  if (version < SINCE.leaseHeaders) return {};
  const { status, state, duration } = shownLease(stored, now);
  return {
    "x-svc-lease-status": status,
    "x-svc-lease-state": state,
    "x-svc-lease-duration": duration,
  };
}

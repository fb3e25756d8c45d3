import { shownLease } from "../leases/lease.ts";
import { SINCE } from "../protocol/versions.ts";
import { xmlElement } from "../protocol/xml-text.ts";

const FREE = "<LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>";

/** What a listing tells of a stored lease. */
export function leaseElements(stored: string | null, version: string, now: Date): string {
  if (version < SINCE.leaseHeaders) return "";
  if (stored === null) return FREE;
  const { status, state, duration } = shownLease(stored, now);
  return (
    xmlElement("LeaseStatus", status) +
    xmlElement("LeaseState", state) +
    xmlElement("LeaseDuration", duration)
  );
}

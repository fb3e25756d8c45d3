import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import { parseDateConditions } from "../containers/conditions.ts";
import { blobNotFound, containerNotFound, usePlace } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
} from "../protocol/conditions.ts";
import { headerValue, invalidHeader, requiredHeader } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";
import type { Stamp } from "../state/stamps.ts";
import { afterAction, type LeaseAction } from "./lease-actions.ts";
import { leaseIdHeader } from "./lease-id.ts";
import { ENDLESS, readLease, type Lease } from "./lease.ts";

/** Seconds of a lease that ends by itself. */
const FIXED_SECONDS = { min: 15, max: 60 };
/** Seconds until a lease that is being broken is broken. */
const BREAK_SECONDS_MAX = 60;
const STATUS = { acquire: 201, break: 202, change: 200, release: 200, renew: 200 };

/** `PUT /{account}/{container}/{blob}?comp=lease` */
export async function leaseBlob(context: Context, call: Call): Promise<Answer> {
  const { catalog, environment } = context;
  const action = parseAction(context, call);
  requireMayAct(call, action);
  const conditions = parseConditions(call.headers);
  checkWriteConditions(conditions);
  return usePlace(context, call, async ({ blob, requireContainer }) => {
    requireContainer();
    const existing = blob.assigned;
    if (existing === undefined) throw blobNotFound(call);
    requireWriteConditions(conditions, existing);
    const now = environment.now();
    const lease = afterAction(readLease(existing.lease), action, now);
    const row = { ...existing, lease: stored(lease) };
    await catalog.change(blob, row, { kind: "blob", row, blocks: [] });
    return answer(call, action, { stamp: row, lease, now });
  });
}

/** `PUT /{account}/{container}?restype=container&comp=lease` */
export async function leaseContainer(context: Context, call: Call): Promise<Answer> {
  const { catalog, environment } = context;
  const { account, container } = call;
  const action = parseAction(context, call);
  requireMayAct(call, action);
  const conditions = parseDateConditions(call.headers, "Leasing a container");
  return catalog.useContainer(account, container, async (entry) => {
    const existing = entry.assigned;
    if (existing === undefined) throw containerNotFound(container);
    requireWriteConditions(conditions, existing);
    const now = environment.now();
    const lease = afterAction(readLease(existing.lease), action, now);
    const row = { ...existing, lease: stored(lease) };
    await catalog.change(entry, row, { kind: "container", row });
    return answer(call, action, { stamp: row, lease, now });
  });
}

/** The right to delete goes as far as breaking a lease, from 2017-07-29 on. */
function requireMayAct({ rights, version }: Call, { kind }: LeaseAction): void {
  if (rights.mayOverwrite || (kind === "break" && version >= SINCE.breakByDelete)) return;
  const said = `The credentials allow no writes, which the action ${kind} on a lease is.`;
  throw new Problem(403, "AuthorizationPermissionMismatch", said);
}

function stored(lease: Lease | undefined): string | null {
  return lease === undefined ? null : JSON.stringify(lease);
}

interface Outcome {
  readonly stamp: Stamp;
  readonly lease: Lease | undefined;
  readonly now: Date;
}

/** No action on a lease changes the entity tag. */
function answer({ version }: Call, { kind }: LeaseAction, { stamp, lease, now }: Outcome): Answer {
  const isTold = kind !== "break" && kind !== "release";
  const left = Math.max(0, (lease?.breaksAt ?? 0) - now.getTime());
  return {
    status: STATUS[kind],
    headers: {
      ...stampHeaders(stamp, version),
      "x-svc-lease-id": isTold ? lease?.id : undefined,
      "x-svc-lease-time": kind === "break" ? Math.ceil(left / 1000) : undefined,
    },
  };
}

function parseAction({ environment }: Context, { headers }: Call): LeaseAction {
  const kind = requiredHeader(headers, "x-svc-lease-action").toLowerCase();
  const proposed = () => leaseIdHeader(headers, "x-svc-proposed-lease-id");
  const id = () => required("x-svc-lease-id", leaseIdHeader(headers, "x-svc-lease-id"));
  switch (kind) {
    case "acquire": {
      const seconds = durationOf(requiredHeader(headers, "x-svc-lease-duration"));
      return { kind, id: proposed() ?? environment.newId(), seconds };
    }
    case "break":
      return { kind, seconds: breakPeriodOf(headerValue(headers, "x-svc-lease-break-period")) };
    case "change":
      return { kind, id: id(), proposed: required("x-svc-proposed-lease-id", proposed()) };
    case "release":
    case "renew":
      return { kind, id: id() };
    default:
      throw invalidHeader(
        "x-svc-lease-action",
        kind,
        "which is none of acquire, renew, change, release and break",
      );
  }
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  const said = `The header ${name} is required for this action on a lease.`;
  throw new Problem(400, "MissingRequiredHeader", said, { fields: { HeaderName: name } });
}

function durationOf(value: string): number {
  const seconds = /^-?\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (seconds === ENDLESS) return seconds;
  const { min, max } = FIXED_SECONDS;
  if (seconds >= min && seconds <= max) return seconds;
  const why = `which is neither -1 nor ${min} to ${max} seconds`;
  throw invalidHeader("x-svc-lease-duration", value, why);
}

function breakPeriodOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (seconds <= BREAK_SECONDS_MAX) return seconds;
  const why = `which is not 0 to ${BREAK_SECONDS_MAX} seconds`;
  throw invalidHeader("x-svc-lease-break-period", value, why);
}

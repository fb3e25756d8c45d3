import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { requireWriteConditions } from "../protocol/conditions.ts";
import { metadataHeaders, parseMetadata } from "../protocol/metadata.ts";
import { parseDateConditions } from "./conditions.ts";
import { containerNotFound } from "./find.ts";

/** `GET` or `HEAD /{account}/{container}?restype=container&comp=metadata` */
export async function getContainerMetadata(context: Context, call: Call): Promise<Answer> {
  const { account, container, headers, version } = call;
  const row = await context.catalog.useContainer(account, container, (entry) => entry.visible);
  if (row === undefined) throw containerNotFound(container);
  const leased = { kind: "Container", lease: row.lease } as const;
  requireReadLease(headers, leased, context.environment.now());
  return {
    status: 200,
    headers: { ...stampHeaders(row, version), ...metadataHeaders(row.metadata) },
  };
}

/**
 * `PUT /{account}/{container}?restype=container&comp=metadata`: all metadata, in place of what
 * was there. A lease on the container keeps nobody from it; an id that is sent has to be right.
 */
export async function setContainerMetadata(context: Context, call: Call): Promise<Answer> {
  const { catalog, environment } = context;
  const { account, container, headers, version } = call;
  const metadata = JSON.stringify(parseMetadata(call.request.raw.rawHeaders));
  const conditions = parseDateConditions(headers, "Set Container Metadata");
  return catalog.useContainer(account, container, async (entry) => {
    const existing = entry.assigned;
    if (existing === undefined) throw containerNotFound(container);
    const leased = { kind: "Container", lease: existing.lease } as const;
    requireReadLease(headers, leased, environment.now());
    requireWriteConditions(conditions, existing);
    const row = { ...existing, ...catalog.stamp(), metadata };
    await catalog.change(entry, row, { kind: "container", row });
    return { status: 200, headers: stampHeaders(row, version) };
  });
}

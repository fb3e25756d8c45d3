import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { requireWriteConditions } from "../protocol/conditions.ts";
import { contentLength } from "../protocol/header-values.ts";
import { readXmlBody } from "../protocol/xml-body.ts";
import { xmlBody, XML_TYPE } from "../protocol/xml-text.ts";
import type { ContainerRow } from "../store.ts";
import { parseDateConditions } from "./conditions.ts";
import { containerNotFound } from "./find.ts";
import { parsePolicies, policiesXml, readPolicies, storedPolicies } from "./policies.ts";
import { publicAccessOf } from "./public-access.ts";

/** Five policies are much shorter. */
const BODY_MAX = 64 * 1024;

/** `GET` or `HEAD /{account}/{container}?restype=container&comp=acl` */
export async function getContainerAcl(context: Context, call: Call): Promise<Answer> {
  const { account, container, version } = call;
  const row = await context.catalog.useContainer(account, container, (entry) => entry.visible);
  if (row === undefined) throw containerNotFound(container);
  requireLease(context, call, row);
  const headers = {
    ...stampHeaders(row, version),
    ...XML_TYPE,
    "x-svc-blob-public-access": row.publicAccess ?? undefined,
  };
  return { status: 200, headers, body: xmlBody(policiesXml(readPolicies(row))) };
}

/** `PUT /{account}/{container}?restype=container&comp=acl`: public access and all policies. */
export async function setContainerAcl(context: Context, call: Call): Promise<Answer> {
  const { catalog } = context;
  const { account, container, headers, version } = call;
  const publicAccess = publicAccessOf(headers);
  const conditions = parseDateConditions(headers, "Set Container ACL");
  const policies = storedPolicies(await sentPolicies(call));
  return catalog.useContainer(account, container, async (entry) => {
    const existing: ContainerRow | undefined = entry.assigned;
    if (existing === undefined) throw containerNotFound(container);
    requireLease(context, call, existing);
    requireWriteConditions(conditions, existing);
    const row = { ...existing, ...catalog.stamp(), publicAccess, policies };
    await catalog.change(entry, row, { kind: "container", row });
    return { status: 200, headers: stampHeaders(row, version) };
  });
}

/** No body means no policies. */
async function sentPolicies(call: Call) {
  if (contentLength(call.headers) === 0) return [];
  return parsePolicies(await readXmlBody(call, "SignedIdentifiers", BODY_MAX));
}

/** A lease keeps nobody out; an id that is sent has to be right. */
function requireLease({ environment }: Context, { headers }: Call, row: ContainerRow): void {
  requireReadLease(headers, { kind: "Container", lease: row.lease }, environment.now());
}

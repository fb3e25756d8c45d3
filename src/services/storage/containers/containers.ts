import { Problem } from "#platform/problem.ts";
import { accountNotFound } from "../accounts/refusals.ts";
import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { requireWriteConditions } from "../protocol/conditions.ts";
import { ACCOUNT_SCOPE } from "../encryption/content-key.ts";
import { defaultScope } from "../encryption/default-scope.ts";
import { leaseHeaders } from "../leases/lease.ts";
import { requireReadLease, requireWriteLease } from "../leases/require-lease.ts";
import { metadataHeaders, parseMetadata } from "../protocol/metadata.ts";
import { SINCE } from "../protocol/versions.ts";
import type { ContainerRow } from "../store.ts";
import { parseDateConditions } from "./conditions.ts";
import { containerNotFound } from "./find.ts";
import { publicAccessOf } from "./public-access.ts";

const NAME_LENGTH = { min: 3, max: 63 };
/** Lower-case letters and digits, single hyphens between them. */
const NAME = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*|\$root|\$web)$/;

/** `PUT /{account}/{container}?restype=container` */
export async function createContainer(context: Context, call: Call): Promise<Answer> {
  const { catalog } = context;
  const { account, container: name, headers, version } = call;
  requireName(name);
  const metadata = JSON.stringify(parseMetadata(call.request.raw.rawHeaders));
  const publicAccess = publicAccessOf(headers);
  const encryption = defaultScope(context, call);
  return catalog.useContainer(account, name, async (entry) => {
    if (entry.assigned !== undefined) {
      const said = `The container "${name}" exists already.`;
      throw new Problem(409, "ContainerAlreadyExists", said);
    }
    if (!context.keys.has(account)) throw accountNotFound(account);
    const stamp = catalog.stamp();
    const id = catalog.newId();
    const unset = { lease: null, policies: null };
    const row = { id, account, name, ...stamp, publicAccess, metadata, ...unset, ...encryption };
    await catalog.change(entry, row, { kind: "container", row });
    return { status: 201, headers: stampHeaders(stamp, version) };
  });
}

/** `GET` or `HEAD /{account}/{container}?restype=container` */
export async function getContainerProperties(context: Context, call: Call): Promise<Answer> {
  const { account, container, headers, version } = call;
  const row = await context.catalog.useContainer(account, container, (entry) => entry.visible);
  if (row === undefined) throw containerNotFound(container);
  const now = context.environment.now();
  requireReadLease(headers, { kind: "Container", lease: row.lease }, now);
  return {
    status: 200,
    headers: {
      ...stampHeaders(row, version),
      ...metadataHeaders(row.metadata),
      ...leaseHeaders(row.lease, version, now),
      "x-svc-blob-public-access": row.publicAccess ?? undefined,
      ...(version >= SINCE.creationTime && {
        "x-svc-has-immutability-policy": "false",
        "x-svc-has-legal-hold": "false",
      }),
      ...(version >= SINCE.containerScope && {
        "x-svc-default-encryption-scope": row.defaultEncryptionScope ?? ACCOUNT_SCOPE,
        "x-svc-deny-encryption-scope-override": String(row.denyEncryptionScopeOverride === 1),
      }),
    },
  };
}

/** `DELETE /{account}/{container}?restype=container`, with all that is in it. */
export async function deleteContainer(context: Context, call: Call): Promise<Answer> {
  const { catalog, environment } = context;
  const { account, container, headers } = call;
  const conditions = parseDateConditions(headers, "Deleting a container");
  return catalog.useContainer(account, container, async (entry) => {
    const row: ContainerRow | undefined = entry.assigned;
    if (row === undefined) throw containerNotFound(container);
    const leased = { kind: "Container", lease: row.lease } as const;
    requireWriteLease(headers, leased, environment.now());
    requireWriteConditions(conditions, row);
    await catalog.change(entry, undefined, { kind: "container-deleted", id: row.id });
    return { status: 202, headers: {} };
  });
}

function requireName(name: string): void {
  if (name.length < NAME_LENGTH.min || name.length > NAME_LENGTH.max) {
    throw new Problem(
      400,
      "OutOfRangeInput",
      `The container's name has ${name.length} characters; ${NAME_LENGTH.min} to ` +
        `${NAME_LENGTH.max} are allowed.`,
    );
  }
  if (!NAME.test(name)) {
    const said = `"${name}" is no name of a container: lower-case letters, digits, single hyphens.`;
    throw new Problem(400, "InvalidResourceName", said);
  }
}

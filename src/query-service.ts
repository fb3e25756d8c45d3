import { availableParallelism, totalmem } from "node:os";
import type { Authorization } from "#services/authorization/index.ts";
import type { Identity } from "#services/identity/index.ts";
import { openQuery, type PrincipalRoles, type QueryService } from "#services/query/index.ts";
import type { House } from "#platform/house/house.ts";
import { PUBLIC_AUDIENCES } from "#platform/http/dialect.ts";

const CLUSTER = "atoll";
/** Of the machine's memory, unless a setting says otherwise. */
const MEMORY_SHARE = 0.5;
const MEBIBYTE = 1024 * 1024;

interface Access {
  readonly identity: Identity;
  readonly authorization: Authorization;
}

/** Opens the query service with what the rest of Atoll does for it. */
export async function openQueryService(
  house: House,
  access: Access,
  /** The path of its resource group. */
  group: string,
): Promise<QueryService> {
  const { environment, log, outbound, settings, listeners, version } = house;
  return openQuery({
    location: house.location("query"),
    data: { dir: await house.data.serviceDir("query") },
    environment,
    log,
    decide: access.authorization.decide,
    outbound,
    principals: principalRoles(access),
    addresses: {
      cluster: () => listeners.url("query"),
      ingestion: () => listeners.url("ingest"),
      auth: () => listeners.url("gateway"),
      queryPage: () => `${listeners.url("gateway")}/console/query`,
      allowedOrigins: () => [listeners.url("gateway"), ...settings.query_origins],
    },
    clusterScope: `${group}/providers/Svc.Query/clusters/${CLUSTER}`,
    version,
    database: settings.query_database,
    limits: {
      recordsMax: settings.query_result_records_max,
      bytesMax: settings.query_result_bytes_max,
      queryTimeoutMs: settings.query_timeout_s * 1000,
      commandTimeoutMs: settings.query_command_timeout_s * 1000,
      queriesMax: settings.query_concurrency,
      ingestBytesMax: settings.ingest_bytes_max,
    },
    resources: {
      threads: settings.query_threads || availableParallelism(),
      memoryLimit: `${settings.query_memory_mb || defaultMemoryMb()}MiB`,
      queuedMax: settings.query_queue,
    },
  });
}

function defaultMemoryMb(): number {
  return Math.floor((totalmem() * MEMORY_SHARE) / MEBIBYTE);
}

function principalRoles({ identity, authorization }: Access): PrincipalRoles {
  const { list, grant, revoke } = authorization.serviceGrants;
  return {
    find(name) {
      const found = identity.findPrincipal(name);
      if (found === undefined) return undefined;
      const { id, kind, displayName } = found;
      return { objectId: id, kind, displayName: displayName || found.name };
    },
    groupsOf: identity.groupsOf,
    list,
    grant,
    revoke,
  };
}

/** Audiences of tokens for the query listeners. */
export function queryAudiences({ listeners }: House): readonly string[] {
  const own = [listeners.url("query"), listeners.url("ingest")];
  return [...own, ...(PUBLIC_AUDIENCES["query"] ?? [])];
}

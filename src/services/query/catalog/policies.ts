import { isArray, parseJson } from "#engines/duckdb/json-text.ts";
import { parseTimespan } from "#engines/kql/runtime/time/parse-timespan.ts";
import type { Json, JsonBag } from "#engines/kql/types.ts";
import type { Catalog, CatalogChange } from "./catalog.ts";
import { CatalogError, notFound } from "./catalog-error.ts";
import { databaseOf, tableOf, type Policies } from "./catalog-schema.ts";

/** What a policy is set on: the cluster, a database, or a table. */
export interface PolicyTarget {
  readonly database?: string | undefined;
  readonly table?: string | undefined;
}

/** Policies that are kept; of these, only `retention` changes what Atoll does. */
export const POLICY_NAMES = [
  "auto_delete",
  "caching",
  "encoding",
  "extent_tags_retention",
  "ingestionbatching",
  "ingestiontime",
  "merge",
  "partitioning",
  "restricted_view_access",
  "retention",
  "row_order",
  "sharding",
  "streamingingestion",
  "update",
] as const;
export type PolicyName = (typeof POLICY_NAMES)[number];

/** Reads a policy and checks the fields that matter here. */
export function parsePolicy(name: PolicyName, text: string): Json {
  const policy = parse(name, text);
  if (name === "retention" && isBag(policy)) retentionPeriod(policy);
  if (name === "update" && policy !== null && !isArray(policy)) {
    throw invalid(name, "must be an array");
  }
  return policy;
}

function parse(name: PolicyName, text: string): Json {
  try {
    const policy = parseJson(text);
    if (typeof policy === "object") return policy;
  } catch (error) {
    throw invalid(name, `is not JSON: ${String(error)}`);
  }
  throw invalid(name, "must be an object or an array");
}

/** Ticks for which rows are kept, of a retention policy; undefined keeps them for ever. */
export function retentionPeriod(policy: Json | undefined): bigint | undefined {
  if (policy === undefined || policy === null || !isBag(policy)) return undefined;
  const period = policy["SoftDeletePeriod"] ?? null;
  if (period === null) return undefined;
  const ticks = typeof period === "string" ? parseTimespan(period) : null;
  if (ticks === null || ticks < 0n) {
    throw invalid("retention", "has a SoftDeletePeriod that is no timespan such as 30.00:00:00");
  }
  return ticks;
}

export function policiesOf(catalog: Catalog, { database, table }: PolicyTarget): Policies {
  const schema = catalog.schema();
  if (database === undefined) return schema.policies;
  const place = databaseOf(schema, database);
  return (table === undefined ? place : tableOf(place, table)).policies;
}

/** Sets a policy; with `merge`, fields that it does not name stay as they are. */
export async function setPolicy(
  catalog: Catalog,
  target: PolicyTarget,
  {
    name,
    policy,
    merge = false,
  }: {
    readonly name: PolicyName;
    readonly policy: Json;
    readonly merge?: boolean;
  },
): Promise<Json> {
  return await catalog.change(async (change) => {
    const policies = policiesOf({ ...catalog, schema: change.schema }, target);
    const before = policies[name] ?? null;
    const merged = merge && isBag(before) && isBag(policy) ? { ...before, ...policy } : policy;
    await putPolicies(change, target, { ...policies, [name]: merged });
    return merged;
  });
}

export async function deletePolicy(
  catalog: Catalog,
  target: PolicyTarget,
  name: PolicyName,
): Promise<void> {
  await catalog.change(async (change) => {
    const { [name]: deleted, ...kept } = policiesOf({ ...catalog, schema: change.schema }, target);
    if (deleted === undefined) return;
    await putPolicies(change, target, kept);
  });
}

async function putPolicies(
  change: CatalogChange,
  { database, table }: PolicyTarget,
  policies: Policies,
): Promise<void> {
  if (database === undefined) {
    if (table !== undefined) throw notFound("Table", table);
    await change.putCluster(policies);
    return;
  }
  const place = databaseOf(change.schema(), database);
  if (table === undefined) await change.putDatabase({ ...place, policies });
  else await change.putTable(place.id, { ...tableOf(place, table), policies });
}

function isBag(value: Json): value is JsonBag {
  return typeof value === "object" && value !== null && !isArray(value);
}

function invalid(name: PolicyName, what: string): CatalogError {
  return new CatalogError("invalid-value", `The ${name} policy ${what}.`);
}

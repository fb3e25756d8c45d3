import type { CompiledQuery, QueryRequest } from "./kql.ts";
import type { ClusterSchema } from "./types.ts";

/** Plans that are kept per schema; the least recently used goes first. */
const PLANS_MAX = 500;

/** Plans by text, database and parameters. A change of the schema is another schema. */
export interface PlanCache {
  readonly find: (request: QueryRequest) => CompiledQuery | undefined;
  readonly keep: (request: QueryRequest, query: CompiledQuery) => void;
}

export function createPlanCache(): PlanCache {
  const bySchema = new WeakMap<ClusterSchema, Map<string, CompiledQuery>>();
  return {
    find(request) {
      const plans = bySchema.get(request.schema);
      const key = keyOf(request);
      const found = plans?.get(key);
      if (found === undefined || plans === undefined) return undefined;
      plans.delete(key);
      plans.set(key, found);
      return found;
    },
    keep(request, query) {
      const plans = bySchema.get(request.schema) ?? new Map<string, CompiledQuery>();
      bySchema.set(request.schema, plans);
      plans.set(keyOf(request), query);
      const [oldest] = plans.keys();
      if (plans.size > PLANS_MAX && oldest !== undefined) plans.delete(oldest);
    },
  };
}

function keyOf({ text, database, parameters = {} }: QueryRequest): string {
  const values = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([database, text, values]);
}

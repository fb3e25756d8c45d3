import type { ClusterSchema } from "#engines/kql/types.ts";
import { requireAccess, type Decide } from "#platform/auth/access.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { Problem } from "#platform/problem.ts";

const DATABASES = "Svc.Query/clusters/databases";

/** What can be done with a database or a thing in it; all of them are data actions. */
export const ACTIONS = {
  /** Run queries. */
  query: `${DATABASES}/data/read`,
  /** Add rows. */
  ingest: `${DATABASES}/data/write`,
  /** See what there is: tables, columns, functions, policies. */
  readSchema: `${DATABASES}/schema/read`,
  /** Make tables and functions. */
  create: `${DATABASES}/entities/write`,
  /** Change and remove tables, functions, mappings, policies, rows. */
  manage: `${DATABASES}/entities/manage/action`,
  /** See what others do: queries, commands, operations, capacity. */
  monitor: `${DATABASES}/state/read`,
  /** End the queries and operations of others. */
  cancel: `${DATABASES}/state/cancel/action`,
  readPrincipals: `${DATABASES}/principals/read`,
  writePrincipals: `${DATABASES}/principals/write`,
  /** Make and remove databases. */
  manageCluster: "Svc.Query/clusters/manage/action",
} as const;
export type Action = keyof typeof ACTIONS;

/** Where in the cluster. Without a database it is the cluster itself. */
export interface Place {
  readonly database?: string;
  readonly table?: string;
  readonly function?: string;
}

export interface Access {
  /** The path of a place, as role assignments name it. */
  readonly scopeOf: (place: Place) => string;
  readonly may: (caller: Caller, action: Action, place: Place) => boolean;
  /** Refuses with 403. */
  readonly require: (caller: Caller, action: Action, place: Place) => void;
  /** The databases that the caller may query, of those in the schema. */
  readonly visible: (caller: Caller, schema: ClusterSchema) => ClusterSchema;
}

export function createAccess(decide: Decide, clusterScope: string): Access {
  const narrowed = new WeakMap<ClusterSchema, Map<string, ClusterSchema>>();

  function scopeOf(place: Place): string {
    if (place.database === undefined) return clusterScope;
    const database = `${clusterScope}/databases/${segment(place.database)}`;
    if (place.table !== undefined) return `${database}/tables/${segment(place.table)}`;
    if (place.function !== undefined) return `${database}/functions/${segment(place.function)}`;
    return database;
  }

  function may(caller: Caller, action: Action, place: Place): boolean {
    return decide(caller, { action: ACTIONS[action], scope: scopeOf(place), plane: "data" });
  }

  return {
    scopeOf,
    may,
    require(caller, action, place) {
      const request = { action: ACTIONS[action], scope: scopeOf(place), plane: "data" } as const;
      requireAccess(decide, caller, request, "Forbidden");
    },
    visible(caller, schema) {
      const { databases } = schema;
      const seen = databases.filter(({ name }) => may(caller, "query", { database: name }));
      if (seen.length === databases.length) return schema;
      // The same object for the same databases: plans are kept by the schema's identity.
      const key = seen.map(({ name }) => name).join("\n");
      const known = narrowed.get(schema) ?? new Map<string, ClusterSchema>();
      narrowed.set(schema, known);
      const view = known.get(key) ?? { databases: seen };
      known.set(key, view);
      return view;
    },
  };
}

/** Names hold no slash; what is asked for under such a name must not lie below another thing. */
function segment(name: string): string {
  return name.replaceAll("/", "_");
}

/** The database of a request, by the name that it has or shows; refuses an unknown one. */
export function findDatabase(schema: ClusterSchema, named: string) {
  const database =
    schema.databases.find(({ name }) => name === named) ??
    schema.databases.find(({ name }) => name.toLowerCase() === named.toLowerCase()) ??
    schema.databases.find(({ prettyName }) => prettyName === named && named !== "");
  if (database !== undefined) return database;
  throw new Problem(
    400,
    "BadRequest_EntityNotFound",
    `There is no database '${named}'${nearest(schema, named)}.`,
  );
}

function nearest({ databases }: ClusterSchema, named: string): string {
  const wanted = named.toLowerCase();
  const near = databases.find(({ name }) => {
    const other = name.toLowerCase();
    return wanted !== "" && (other.includes(wanted) || wanted.includes(other));
  });
  return near === undefined ? "" : `; there is '${near.name}'`;
}

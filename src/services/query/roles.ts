import type { RoleDefinition } from "#platform/auth/roles.ts";
import { ACTIONS, type Action } from "./access.ts";

/** Whoever administrates the query engine may do everything with it, data included. */
export const QUERY_ADMIN_ROLE_ID = "90750a73-a543-45d3-84d7-a676d090e2ce";
const USER_ROLE_ID = "922e1bb1-9400-4810-8c79-17b07520dbd5";
const VIEWER_ROLE_ID = "44396f83-4f44-49a5-9ff8-e1e8862985c0";
const INGESTOR_ROLE_ID = "d7b7d280-992c-4a40-80a9-6fdc3e202e3e";
const MONITOR_ROLE_ID = "23191756-07b8-443e-9134-7f317a9cd152";

/** The roles as management commands name them: `.add database d viewers (…)`. */
export const COMMAND_ROLES: Readonly<Record<string, string>> = {
  admins: QUERY_ADMIN_ROLE_ID,
  users: USER_ROLE_ID,
  viewers: VIEWER_ROLE_ID,
  unrestrictedviewers: VIEWER_ROLE_ID,
  ingestors: INGESTOR_ROLE_ID,
  monitors: MONITOR_ROLE_ID,
};

/** The roles that come with the query engine: for a cluster, a database, a table or a function. */
export const queryRoles: readonly RoleDefinition[] = [
  builtIn({
    id: QUERY_ADMIN_ROLE_ID,
    roleName: "Query Admin",
    description: "Everything with databases, their data and who may use them.",
    dataActions: ["Svc.Query/*"],
  }),
  builtIn({
    id: USER_ROLE_ID,
    roleName: "Query User",
    description: "Runs queries, and makes tables and functions.",
    dataActions: named("query", "readSchema", "create", "readPrincipals"),
  }),
  builtIn({
    id: VIEWER_ROLE_ID,
    roleName: "Query Viewer",
    description: "Runs queries.",
    dataActions: named("query", "readSchema", "readPrincipals"),
  }),
  builtIn({
    id: INGESTOR_ROLE_ID,
    roleName: "Query Ingestor",
    description: "Adds rows to tables, without seeing them.",
    dataActions: named("ingest", "readSchema"),
  }),
  builtIn({
    id: MONITOR_ROLE_ID,
    roleName: "Query Monitor",
    description: "Sees what there is and what happens, without the data.",
    dataActions: named("readSchema", "monitor", "readPrincipals"),
  }),
];

function named(...actions: readonly Action[]): string[] {
  return actions.map((action) => ACTIONS[action]);
}

type Grant = Pick<RoleDefinition, "id" | "roleName" | "description"> & {
  readonly dataActions: readonly string[];
};

function builtIn({ dataActions, ...names }: Grant): RoleDefinition {
  return {
    ...names,
    type: "BuiltInRole",
    assignableScopes: ["/"],
    permissions: [
      { actions: [], notActions: [], dataActions: [...dataActions], notDataActions: [] },
    ],
  };
}

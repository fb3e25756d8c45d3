import type { RoleDefinition } from "#platform/auth/roles.ts";
import { PRIVILEGES, type Privilege } from "./access.ts";

/** Whoever administrates the tables may do everything with them, rows included. */
export const TABLES_ADMIN_ROLE_ID = "5c4e4f0e-2a0f-4d83-9f0e-6a5ef13a4b11";

/** The roles that come with the tables: for all of them, or for one. */
export const tablesRoles: readonly RoleDefinition[] = [
  builtIn({
    id: TABLES_ADMIN_ROLE_ID,
    roleName: "Tables Admin",
    description: "Everything with business tables, their definitions and their rows.",
    dataActions: ["Svc.Tables/*"],
  }),
  builtIn({
    id: "8a6dd1f5-0b5a-4a0d-8d6e-5a7fb0f6c7a2",
    roleName: "Tables User",
    description: "Reads, creates, changes, connects and deletes rows.",
    dataActions: named("append", "appendTo", "create", "delete", "read", "write"),
  }),
  builtIn({
    id: "c0d3a3b9-6a55-4b8b-a1de-0f39c7ad3d63",
    roleName: "Tables Contributor",
    description: "Reads, creates, changes and connects rows, and deletes none.",
    dataActions: named("append", "appendTo", "create", "read", "write"),
  }),
  builtIn({
    id: "e2f7c18c-41a5-4f6e-8a35-97d1b0b94f54",
    roleName: "Tables Reader",
    description: "Reads rows.",
    dataActions: named("read"),
  }),
];

function named(...privileges: readonly Privilege[]): string[] {
  return privileges.map((privilege) => PRIVILEGES[privilege]);
}

type Grant = Pick<RoleDefinition, "description" | "id" | "roleName"> & {
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

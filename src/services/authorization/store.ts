import type { Migration } from "#platform/store/store.ts";

export interface RoleAssignmentRow {
  readonly id: string;
  readonly principalObjectId: string;
  readonly principalType: string;
  readonly roleDefinitionId: string;
  readonly scope: string;
  /** The scope as it is compared. */
  readonly scopeKey: string;
  readonly description: string;
  readonly createdOn: string;
  readonly createdBy: string;
}

export interface RoleDefinitionRow {
  readonly id: string;
  readonly roleName: string;
  readonly description: string;
  /** JSON. */
  readonly assignableScopes: string;
  /** JSON. */
  readonly permissions: string;
}

export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly caller: string;
  readonly operation: string;
  /** JSON of what was granted, removed or defined. */
  readonly subject: string;
}

export interface AuthorizationTables {
  readonly roleAssignment: RoleAssignmentRow;
  readonly roleDefinition: RoleDefinitionRow;
  readonly audit: AuditRow;
}

export const migrations: readonly Migration[] = [
  async (schema, { text }) => {
    await schema.schema
      .createTable("role_assignment")
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("principal_object_id", text, (column) => column.notNull())
      .addColumn("principal_type", text, (column) => column.notNull())
      .addColumn("role_definition_id", text, (column) => column.notNull())
      .addColumn("scope", text, (column) => column.notNull())
      .addColumn("scope_key", text, (column) => column.notNull())
      .addColumn("created_on", text, (column) => column.notNull())
      .addColumn("created_by", text, (column) => column.notNull())
      .addUniqueConstraint("role_assignment_once", [
        "principal_object_id",
        "role_definition_id",
        "scope_key",
      ])
      .execute();
    await schema.schema
      .createTable("role_definition")
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("role_name", text, (column) => column.notNull())
      .addColumn("description", text, (column) => column.notNull())
      .addColumn("assignable_scopes", text, (column) => column.notNull())
      .addColumn("permissions", text, (column) => column.notNull())
      .execute();
    await schema.schema
      .createTable("audit")
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("at", text, (column) => column.notNull())
      .addColumn("caller", text, (column) => column.notNull())
      .addColumn("operation", text, (column) => column.notNull())
      .addColumn("subject", text, (column) => column.notNull())
      .execute();
  },
  async (schema, { text }) => {
    await schema.schema
      .alterTable("role_assignment")
      .addColumn("description", text, (column) => column.notNull().defaultTo(""))
      .execute();
  },
];

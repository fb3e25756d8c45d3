import type { Migration } from "#platform/store/store.ts";

/** A command that goes on after its answer, or went on. */
export interface OperationRow {
  readonly id: string;
  /** The kind of its command. */
  readonly operation: string;
  readonly startedOn: string;
  readonly updatedOn: string;
  readonly state: "Canceled" | "Completed" | "Failed" | "InProgress";
  readonly status: string;
  readonly clientRequestId: string;
  readonly databaseName: string;
  readonly principal: string;
  readonly user: string;
  /** JSON: columns and rows of the result, once there is one. */
  readonly result: string;
}

export interface QueryTables {
  readonly operation: OperationRow;
}

export const migrations: readonly Migration[] = [
  async (schema, { text }) => {
    await schema.schema
      .createTable("operation")
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("operation", text, (column) => column.notNull())
      .addColumn("started_on", text, (column) => column.notNull())
      .addColumn("updated_on", text, (column) => column.notNull())
      .addColumn("state", text, (column) => column.notNull())
      .addColumn("status", text, (column) => column.notNull())
      .addColumn("client_request_id", text, (column) => column.notNull())
      .addColumn("database_name", text, (column) => column.notNull())
      .addColumn("principal", text, (column) => column.notNull())
      .addColumn("user", text, (column) => column.notNull())
      .addColumn("result", text, (column) => column.notNull())
      .execute();
    await schema.schema
      .createIndex("operation_by_start")
      .on("operation")
      .column("started_on")
      .execute();
  },
];

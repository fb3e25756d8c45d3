import type { Migration } from "#platform/store/store.ts";

/** Definitions that users have added or changed. */
export interface DefinitionRow {
  readonly logicalName: string;
  /** JSON of a `TableDefinition`. */
  readonly definition: string;
}

/** One row: the version that was given out last. */
export interface VersionRow {
  readonly value: number;
}

/** A link of a many-to-many relationship. */
export interface LinkRow {
  readonly relationship: string;
  readonly firstId: string;
  readonly secondId: string;
}

/** A row that was deleted: for followers of changes, and for restoring it. */
export interface DeletedRow {
  readonly tableName: string;
  readonly rowId: string;
  readonly version: number;
  readonly deletedOn: string;
  readonly deletedBy: string;
  /** Rows that went with one deletion share it. */
  readonly deletion: string;
  /** JSON of the row as it was stored. */
  readonly content: string;
}

/** What has happened and one subscriber has still to be told. */
export interface EventRow {
  /** Grows with time. */
  readonly sequence: number;
  readonly id: string;
  /** The registered step that wants it. */
  readonly stepId: string;
  readonly message: string;
  readonly tableName: string;
  readonly rowId: string;
  /** JSON of the execution context. */
  readonly content: string;
}

/** The tables beside those that hold rows; these are named `rows_*` and `kept_*`. */
export interface TablesTables {
  readonly tableDefinition: DefinitionRow;
  readonly rowVersion: VersionRow;
  readonly rowLink: LinkRow;
  readonly deletedRow: DeletedRow;
  readonly rowEvent: EventRow;
}

export const migrations: readonly Migration[] = [
  async ({ schema }, { text, integer }) => {
    await schema
      .createTable("table_definition")
      .addColumn("logical_name", text, (column) => column.primaryKey())
      .addColumn("definition", text, (column) => column.notNull())
      .execute();
    await schema
      .createTable("row_version")
      .addColumn("value", integer, (column) => column.notNull())
      .execute();
    await schema
      .createTable("row_link")
      .addColumn("relationship", text, (column) => column.notNull())
      .addColumn("first_id", text, (column) => column.notNull())
      .addColumn("second_id", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("row_link_once", ["relationship", "first_id", "second_id"])
      .execute();
    await schema
      .createIndex("row_link_second")
      .on("row_link")
      .columns(["relationship", "second_id"])
      .execute();
    await schema
      .createTable("deleted_row")
      .addColumn("table_name", text, (column) => column.notNull())
      .addColumn("row_id", text, (column) => column.notNull())
      .addColumn("version", integer, (column) => column.notNull())
      .addColumn("deleted_on", text, (column) => column.notNull())
      .addColumn("deleted_by", text, (column) => column.notNull())
      .addColumn("deletion", text, (column) => column.notNull())
      .addColumn("content", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("deleted_row_once", ["table_name", "row_id"])
      .execute();
    await schema
      .createIndex("deleted_row_version")
      .on("deleted_row")
      .columns(["table_name", "version"])
      .execute();
    await schema
      .createTable("row_event")
      .addColumn("sequence", integer, (column) => column.primaryKey())
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("step_id", text, (column) => column.notNull())
      .addColumn("message", text, (column) => column.notNull())
      .addColumn("table_name", text, (column) => column.notNull())
      .addColumn("row_id", text, (column) => column.notNull())
      .addColumn("content", text, (column) => column.notNull())
      .execute();
    await schema
      .createIndex("row_event_step")
      .on("row_event")
      .columns(["step_id", "sequence"])
      .execute();
  },
];

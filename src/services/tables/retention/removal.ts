import type { Table } from "../definitions/table.ts";
import { idOf } from "../rows/find.ts";
import type { Work } from "../rows/work.ts";
import { sql, type Row } from "../storage/sql.ts";

export interface Removal {
  readonly row: Row;
  /** Rows that went together share it. */
  readonly deletion: string;
  readonly isRestorable: boolean;
}

/** Notes that a row is gone, for followers of changes and for restoring it. */
export async function recordRemoval(
  work: Work,
  table: Table,
  { row, deletion, isRestorable }: Removal,
): Promise<void> {
  const version = await work.takeVersions(1);
  await work.writer.run(
    sql(
      "insert into deleted_row " +
        "(table_name, row_id, version, deleted_on, deleted_by, deletion, content) " +
        "values (?, ?, ?, ?, ?, ?, ?)",
      [
        table.logicalName,
        idOf(table, row),
        version,
        work.now,
        work.actor.userId,
        deletion,
        isRestorable ? JSON.stringify(row) : "",
      ],
    ),
  );
}

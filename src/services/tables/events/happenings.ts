import type { Message } from "../definitions/types.ts";
import type { Table } from "../definitions/table.ts";
import type { RowEvent } from "../rows/work.ts";
import type { Row } from "../storage/sql.ts";

/** An event as it is told: of one row, or of several that were written by one request. */
export interface Happening {
  readonly message: Message;
  readonly table: Table;
  /** Empty when it is not about one row. */
  readonly rowId: string;
  readonly content: Row;
  readonly rows: readonly RowEvent[];
  /** The same for all that one request has done. */
  readonly correlationId: string;
}

/** Writing one row is also writing a number of rows, and the other way round. */
const MERGED: Readonly<Partial<Record<Message, Message>>> = {
  Create: "CreateMultiple",
  Update: "UpdateMultiple",
};

/** What has happened, in order; the messages for several rows come last. */
export function happeningsOf(
  events: readonly RowEvent[],
  correlationId: string,
): readonly Happening[] {
  const single = events.map((event): Happening => ({ ...event, rows: [event], correlationId }));
  const groups = new Map<string, RowEvent[]>();
  for (const event of events) {
    const merged = MERGED[event.message];
    if (merged === undefined) continue;
    const name = `${event.table.logicalName} ${merged}`;
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  const multiple = [...groups.values()].flatMap((rows): Happening[] => {
    const [first] = rows;
    const message = first && MERGED[first.message];
    if (first === undefined || message === undefined) return [];
    return [{ message, table: first.table, rowId: "", content: {}, rows, correlationId }];
  });
  return [...single, ...multiple];
}

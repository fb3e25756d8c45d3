import type { KqlColumn } from "#engines/kql/types.ts";

/** One table of an answer. */
export interface ResultTable {
  readonly columns: readonly KqlColumn[];
  /** Rows as JSON texts such as `[1,"a"]`, in chunks as they are made; to be read once. */
  readonly rows: AsyncIterable<readonly string[]>;
}

/** What is known of a table before it has been computed. */
export interface TablePlan {
  readonly columns: readonly KqlColumn[];
  /** What `render` asks for. */
  readonly visualization?: object | undefined;
}

/** The answer to a query: its tables, planned and then computed one after the other. */
export interface DataSet {
  readonly plans: readonly TablePlan[];
  readonly tables: AsyncIterable<ResultTable>;
}

/** The request that an answer belongs to, as it names itself in the answer. */
export interface Activity {
  readonly activityId: string;
  readonly clientRequestId: string;
  readonly startedAt: Date;
  readonly now: () => Date;
}

/** `2014-01-01T01:01:01.1230000Z`: times have seven digits after the second. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, -1)}0000Z`;
}

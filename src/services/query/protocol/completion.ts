import type { Fault } from "./errors.ts";
import { PARTIAL_FAILURE_STATUS } from "./errors.ts";
import { timespanText } from "./durations.ts";
import { timeText, type Activity } from "./result.ts";

/** How a query ended. */
export interface Outcome {
  readonly records: number;
  readonly bytes: number;
  /** What ended it early. */
  readonly fault: Fault | undefined;
  readonly isCancelled: boolean;
  /** Rows and bytes of each table. */
  readonly tables: readonly { readonly records: number; readonly bytes: number }[];
}

/** Levels as clients read them: whatever is below 4 is trouble. */
const LEVELS = { error: 2, info: 4, stats: 6 } as const;

/** What the status table of an answer says, in both versions of the protocol. */
export interface StatusRow {
  readonly level: number;
  readonly levelName: string;
  readonly statusCode: number;
  readonly statusName: string;
  readonly eventType: number;
  readonly eventName: string;
  readonly text: string;
}

export function statusRows(outcome: Outcome, activity: Activity): StatusRow[] {
  return [endOf(outcome), consumption(outcome, activity)];
}

function endOf({ fault }: Outcome): StatusRow {
  const event = { eventType: 4, eventName: "QueryInfo" };
  if (fault === undefined) {
    const said = { Count: 1, Text: "Query completed successfully" };
    return { ...event, ...GOOD, level: LEVELS.info, levelName: "Info", text: JSON.stringify(said) };
  }
  const said = { Count: 1, Text: fault.detail };
  return {
    ...event,
    level: LEVELS.error,
    levelName: "Error",
    statusCode: PARTIAL_FAILURE_STATUS,
    statusName: "E_QUERY_RESULT_SET_TOO_LARGE (80DA0003)",
    text: JSON.stringify(said),
  };
}

const GOOD = { statusCode: 0, statusName: "S_OK (0)" };

function consumption({ tables }: Outcome, { startedAt, now }: Activity): StatusRow {
  const seconds = (now().getTime() - startedAt.getTime()) / 1000;
  const cpu = timespanText(seconds * 1000);
  const usage = {
    ExecutionTime: seconds,
    resource_usage: {
      cpu: { user: cpu, kernel: "00:00:00", "total cpu": cpu },
      memory: { peak_per_node: 0 },
    },
    dataset_statistics: tables.map(({ records, bytes }) => ({
      table_row_count: records,
      table_size: bytes,
    })),
  };
  return {
    ...GOOD,
    level: LEVELS.stats,
    levelName: "Stats",
    eventType: 0,
    eventName: "QueryResourceConsumption",
    text: JSON.stringify(usage),
  };
}

/** A row of the status table of version 2. */
export function completionRow(row: StatusRow, activity: Activity): readonly unknown[] {
  const { activityId: id, clientRequestId, now } = activity;
  const { level, levelName, statusCode, statusName, eventType, eventName, text } = row;
  const who = [timeText(now()), clientRequestId, id, id, id];
  return [...who, level, levelName, statusCode, statusName, eventType, eventName, text];
}

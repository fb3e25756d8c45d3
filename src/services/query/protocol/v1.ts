import type { KqlColumn, KqlType } from "#engines/kql/types.ts";
import { statusRows, type Outcome } from "./completion.ts";
import type { Fault } from "./errors.ts";
import { timeText, type Activity, type DataSet, type ResultTable } from "./result.ts";
import { firstRows } from "./truncation.ts";
import type { WriteOptions } from "./v2.ts";
import { visualizationText } from "./visualization.ts";

/** Names of the types in version 1 of the protocol. */
const DATA_TYPES: Readonly<Record<KqlType, string>> = {
  bool: "SByte",
  int: "Int32",
  long: "Int64",
  real: "Double",
  decimal: "SqlDecimal",
  string: "String",
  datetime: "DateTime",
  timespan: "TimeSpan",
  guid: "Guid",
  dynamic: "Object",
};

const VALUE: readonly KqlColumn[] = [{ name: "Value", type: "string" }];

const STATUS: readonly KqlColumn[] = [
  { name: "Timestamp", type: "datetime" },
  { name: "Severity", type: "int" },
  { name: "SeverityName", type: "string" },
  { name: "StatusCode", type: "int" },
  { name: "StatusDescription", type: "string" },
  { name: "Count", type: "int" },
  { name: "RequestId", type: "guid" },
  { name: "ActivityId", type: "guid" },
  { name: "SubActivityId", type: "guid" },
  { name: "ClientActivityId", type: "string" },
];

const CONTENTS: readonly KqlColumn[] = [
  { name: "Ordinal", type: "long" },
  { name: "Kind", type: "string" },
  { name: "Name", type: "string" },
  { name: "Id", type: "string" },
  { name: "PrettyName", type: "string" },
];

const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The answer to a query in version 1: its results, what `render` asks for, how it went, and a
 * table of contents.
 */
export async function* writeV1(dataSet: DataSet, write: WriteOptions): AsyncGenerator<string> {
  const { meter, activity } = write;
  const failed: { fault: Fault | undefined } = { fault: undefined };
  let count = 0;
  yield '{"Tables":[';
  try {
    for await (const table of dataSet.tables) {
      if (count > 0) yield ",";
      yield* writeTable(table, count, { write, failed });
      count += 1;
      if (failed.fault !== undefined) break;
    }
  } catch (error) {
    failed.fault = write.faultOf(error);
  }
  const { fault } = failed;
  const counts = { records: meter.records(), bytes: meter.bytes() };
  const outcome: Outcome = { ...counts, fault, isCancelled: write.isCancelled(), tables: [counts] };
  const comma = count > 0 ? "," : "";
  const visible = dataSet.plans.map(({ visualization }) => [visualizationText(visualization)]);
  yield `${comma}${tableText(`Table_${count}`, VALUE, visible)}`;
  yield `,${tableText(`Table_${count + 1}`, STATUS, statusOf(outcome, activity))}`;
  yield `,${tableText(`Table_${count + 2}`, CONTENTS, contentsOf(count))}]`;
  const isTold = fault !== undefined && !write.options.defersPartialFailures;
  yield isTold ? `,"Exceptions":[${JSON.stringify(fault.detail)}]}` : "}";
}

interface Writing {
  readonly write: WriteOptions;
  readonly failed: { fault: Fault | undefined };
}

async function* writeTable(
  { columns, rows }: ResultTable,
  index: number,
  { write, failed }: Writing,
): AsyncGenerator<string> {
  const { takeMaxRecords, defersPartialFailures } = write.options;
  const taken = takeMaxRecords === undefined ? rows : firstRows(rows, takeMaxRecords);
  yield `{"TableName":"Table_${index}","Columns":${columnsText(columns)},"Rows":[`;
  let comma = "";
  try {
    for await (const chunk of write.meter.pass(taken)) {
      if (chunk.length === 0) continue;
      yield comma + chunk.join(",");
      comma = ",";
    }
  } catch (error) {
    failed.fault = write.faultOf(error);
    const said = JSON.stringify({ Exceptions: [failed.fault.detail] });
    if (!defersPartialFailures) yield comma + said;
  }
  yield "]}";
}

function statusOf(outcome: Outcome, activity: Activity): unknown[][] {
  const { activityId: id, clientRequestId, now } = activity;
  return statusRows(outcome, activity).map(({ level, levelName, statusCode, text }) => {
    const at = timeText(now());
    return [at, level, levelName, statusCode, text, 1, id, id, id, clientRequestId];
  });
}

function contentsOf(results: number): unknown[][] {
  const rows: unknown[][] = [];
  for (let index = 0; index < results; index++) {
    rows.push([index, "QueryResult", "PrimaryResult", NO_ID, ""]);
  }
  rows.push([results, "QueryProperties", "@ExtendedProperties", NO_ID, ""]);
  rows.push([results + 1, "QueryStatus", "QueryStatus", NO_ID, ""]);
  return rows;
}

/** A whole answer with one table, as management commands and ingestion give it. */
export function singleTable(columns: readonly KqlColumn[], rows: readonly string[]): string {
  // Clients of dashboards look for exactly this name.
  const start = `{"Tables":[{"TableName":"Table_0","Columns":${columnsText(columns)}`;
  return `${start},"Rows":[${rows.join(",")}]}]}`;
}

function tableText(
  name: string,
  columns: readonly KqlColumn[],
  rows: readonly (readonly unknown[])[],
): string {
  const start = `{"TableName":${JSON.stringify(name)},"Columns":${columnsText(columns)}`;
  return `${start},"Rows":${JSON.stringify(rows)}}`;
}

function columnsText(columns: readonly KqlColumn[]): string {
  return JSON.stringify(
    columns.map(({ name, type }) => ({
      ColumnName: name,
      DataType: DATA_TYPES[type],
      ColumnType: type,
    })),
  );
}

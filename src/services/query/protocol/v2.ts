import type { KqlColumn } from "#engines/kql/types.ts";
import { completionRow, statusRows, type Outcome } from "./completion.ts";
import { errorBody, type Fault } from "./errors.ts";
import type { ErrorPlacement, RequestOptions } from "./options.ts";
import type { Activity, DataSet, ResultTable } from "./result.ts";
import { firstRows, type Meter } from "./truncation.ts";
import { visualizationText } from "./visualization.ts";

export interface WriteOptions {
  readonly options: RequestOptions;
  readonly activity: Activity;
  readonly meter: Meter;
  /** What the client is told of an error that came after the first row. */
  readonly faultOf: (error: unknown) => Fault;
  readonly isCancelled: () => boolean;
}

const PLACEMENT_NAMES: Readonly<Record<ErrorPlacement, string>> = {
  in_data: "InData",
  end_of_table: "EndOfTable",
  end_of_dataset: "EndOfDataset",
};

const COMPLETION_COLUMNS: readonly KqlColumn[] = [
  { name: "Timestamp", type: "datetime" },
  { name: "ClientRequestId", type: "string" },
  { name: "ActivityId", type: "guid" },
  { name: "SubActivityId", type: "guid" },
  { name: "ParentActivityId", type: "guid" },
  { name: "Level", type: "int" },
  { name: "LevelName", type: "string" },
  { name: "StatusCode", type: "int" },
  { name: "StatusCodeName", type: "string" },
  { name: "EventType", type: "int" },
  { name: "EventTypeName", type: "string" },
  { name: "Payload", type: "string" },
];

const PROPERTY_COLUMNS: readonly KqlColumn[] = [
  { name: "TableId", type: "int" },
  { name: "Key", type: "string" },
  { name: "Value", type: "dynamic" },
];

/** The answer to a query in version 2 of the protocol: an array of frames, as text, in pieces. */
export async function* writeV2(dataSet: DataSet, write: WriteOptions): AsyncGenerator<string> {
  const end = write.options.hasNewlines ? "\n" : "";
  yield `[${header(write.options)}${end}`;
  yield `,${properties(dataSet)}${end}`;
  const tables: Counted[] = [];
  let fault: Fault | undefined;
  try {
    for await (const table of dataSet.tables) {
      const counted: Counted = { id: tables.length + 1, records: 0, bytes: 0, fault: undefined };
      tables.push(counted);
      yield* writeTable(table, counted, write);
      fault = counted.fault;
      if (fault !== undefined) break;
    }
  } catch (error) {
    // Between two tables: there is no row list to put it into.
    fault = write.faultOf(error);
  }
  const outcome = outcomeOf(tables, fault, write);
  if (fault === undefined || write.options.defersPartialFailures) {
    yield `,${completion(tables.length + 1, outcome, write.activity)}${end}`;
  }
  yield `,${dataSetEnd(outcome, write)}${end}]${end}`;
}

interface Counted {
  readonly id: number;
  records: number;
  bytes: number;
  fault: Fault | undefined;
}

function header({ isProgressive, isFragmented, errorPlacement }: RequestOptions): string {
  return JSON.stringify({
    FrameType: "DataSetHeader",
    IsProgressive: isProgressive,
    Version: "v2.0",
    IsFragmented: isProgressive || isFragmented,
    ErrorReportingPlacement: PLACEMENT_NAMES[errorPlacement],
  });
}

function properties({ plans }: DataSet): string {
  const rows = plans.map(({ visualization }, index) => {
    return [index + 1, "Visualization", visualizationText(visualization)];
  });
  return JSON.stringify({
    FrameType: "DataTable",
    TableId: 0,
    TableKind: "QueryProperties",
    TableName: "@ExtendedProperties",
    Columns: columnsOf(PROPERTY_COLUMNS),
    Rows: rows,
  });
}

function writeTable(table: ResultTable, counted: Counted, write: WriteOptions) {
  const { isProgressive, isFragmented } = write.options;
  if (isProgressive || isFragmented) return writeFragments(table, counted, write);
  return writeWhole(table, counted, write);
}

/** One frame, whose row list grows as rows are made. */
async function* writeWhole(
  table: ResultTable,
  counted: Counted,
  write: WriteOptions,
): AsyncGenerator<string> {
  const start = JSON.stringify({ FrameType: "DataTable", ...about(table, counted.id) });
  yield `,${start.slice(0, -1)},"Rows":[`;
  let comma = "";
  for await (const chunk of takeRows(table, counted, write)) {
    yield comma + chunk.join(",");
    comma = ",";
  }
  const { fault } = counted;
  const { defersPartialFailures, errorPlacement, hasNewlines } = write.options;
  if (fault === undefined || defersPartialFailures) yield "]";
  else if (errorPlacement === "in_data") yield `${comma}${errorRow(fault, write)}]`;
  else if (errorPlacement === "end_of_table") yield `],${oneApiErrors(fault, write)}`;
  else yield "]";
  yield hasNewlines ? "}\n" : "}";
}

/** A frame per chunk of rows. */
async function* writeFragments(
  table: ResultTable,
  counted: Counted,
  write: WriteOptions,
): AsyncGenerator<string> {
  const { isProgressive, hasNewlines, errorPlacement, defersPartialFailures } = write.options;
  const end = hasNewlines ? "\n" : "";
  const { id } = counted;
  yield `,${JSON.stringify({ FrameType: "TableHeader", ...about(table, id) })}${end}`;
  const fields = `"FieldCount":${table.columns.length},"TableFragmentType":"DataAppend"`;
  const fragment = `,{"FrameType":"TableFragment","TableId":${id},${fields},"Rows":[`;
  for await (const chunk of takeRows(table, counted, write)) {
    yield `${fragment}${chunk.join(",")}]}${end}`;
  }
  const fault = defersPartialFailures ? undefined : counted.fault;
  if (fault !== undefined && errorPlacement === "in_data") {
    yield `${fragment}${errorRow(fault, write)}]}${end}`;
  }
  if (isProgressive) {
    yield `,{"FrameType":"TableProgress","TableId":${id},"TableProgress":100}${end}`;
  }
  const failed =
    fault !== undefined && errorPlacement === "end_of_table"
      ? `,${oneApiErrors(fault, write)}`
      : "";
  const rows = `"RowCount":${counted.records}${failed}`;
  yield `,{"FrameType":"TableCompletion","TableId":${id},${rows}}${end}`;
}

/** The rows of a table within the limits of the answer; an error is kept and ends them. */
async function* takeRows(
  { rows }: ResultTable,
  counted: Counted,
  { meter, options, faultOf }: WriteOptions,
): AsyncGenerator<readonly string[]> {
  const { takeMaxRecords } = options;
  const taken = takeMaxRecords === undefined ? rows : firstRows(rows, takeMaxRecords);
  const before = { records: meter.records(), bytes: meter.bytes() };
  try {
    for await (const chunk of meter.pass(taken)) {
      if (chunk.length > 0) yield chunk;
    }
  } catch (error) {
    counted.fault = faultOf(error);
  }
  counted.records = meter.records() - before.records;
  counted.bytes = meter.bytes() - before.bytes;
}

function about({ columns }: ResultTable, id: number) {
  return {
    TableId: id,
    TableKind: "PrimaryResult",
    TableName: "PrimaryResult",
    Columns: columnsOf(columns),
  };
}

function columnsOf(columns: readonly KqlColumn[]) {
  return columns.map(({ name, type }) => ({ ColumnName: name, ColumnType: type }));
}

function errorRow(fault: Fault, write: WriteOptions): string {
  return `{${oneApiErrors(fault, write)}}`;
}

function oneApiErrors(fault: Fault, { activity }: WriteOptions): string {
  return `"OneApiErrors":[${JSON.stringify(errorBody(fault, activity))}]`;
}

function outcomeOf(
  tables: readonly Counted[],
  fault: Fault | undefined,
  { meter, isCancelled }: WriteOptions,
): Outcome {
  const counts = { records: meter.records(), bytes: meter.bytes() };
  return { ...counts, fault, isCancelled: isCancelled(), tables };
}

function completion(id: number, outcome: Outcome, activity: Activity): string {
  return JSON.stringify({
    FrameType: "DataTable",
    TableId: id,
    TableKind: "QueryCompletionInformation",
    TableName: "QueryCompletionInformation",
    Columns: columnsOf(COMPLETION_COLUMNS),
    Rows: statusRows(outcome, activity).map((row) => completionRow(row, activity)),
  });
}

function dataSetEnd({ fault, isCancelled }: Outcome, { options, activity }: WriteOptions): string {
  const told = options.defersPartialFailures ? undefined : fault;
  return JSON.stringify({
    FrameType: "DataSetCompletion",
    HasErrors: told !== undefined,
    Cancelled: isCancelled,
    ...(told && { OneApiErrors: [errorBody(told, activity)] }),
  });
}

import { KqlError } from "#engines/kql/kql-error.ts";
import type { CompiledQuery } from "#engines/kql/kql.ts";
import type { Caller } from "#platform/auth/caller.ts";
import { findDatabase } from "../access.ts";
import type { Context } from "../context.ts";
import { parseOptions, type RequestOptions } from "../protocol/options.ts";
import { withoutComments, type QueryRequest } from "../protocol/request.ts";
import type { DataSet, ResultTable } from "../protocol/result.ts";
import { askOf } from "./ask.ts";
import { startDeadline, timeoutOf, type Deadline } from "./deadline.ts";
import type { StartedActivity } from "./activities.ts";

export interface QueryCall {
  readonly caller: Caller;
  readonly request: QueryRequest;
  /** Id of the request, as the answer names it. */
  readonly activityId: string;
  /** Ends when the client has gone. */
  readonly gone: AbortSignal;
}

export interface RunningQuery extends DataSet {
  /** Those of the request, and those that the text sets. */
  readonly options: RequestOptions;
  readonly started: StartedActivity;
}

/** Options that only a request can set, not the text of a query. */
const NOT_BY_TEXT: ReadonlySet<string> = new Set([
  "servertimeout",
  "norequesttimeout",
  "truncationmaxsize",
  "request_readonly",
  "request_readonly_hardline",
  "request_app_name",
  "request_user",
  "request_description",
  "results_progressive_enabled",
  "results_v2_newlines_between_frames",
  "results_v2_fragment_primary_tables",
  "results_error_reporting_placement",
]);

/**
 * Runs a query until its first rows are there. What fails before that is thrown; what fails later
 * ends the rows of the table that it happens in.
 */
export async function runQuery(context: Context, call: QueryCall): Promise<RunningQuery> {
  const { request, caller } = call;
  const schema = context.catalog.schema();
  const { name: database } = findDatabase(
    schema,
    request.database || context.catalog.defaultDatabase,
  );
  context.access.require(caller, "query", { database });
  const options = withTextOptions(request.options, request.text);
  requireSupported(options);
  const started = context.activities.begin(startOf(call, database));
  const timeoutMs = timeoutOf(options, context.limits.queryTimeoutMs);
  const deadline = startDeadline(timeoutMs, [started.signal, call.gone]);
  try {
    const ask = askOf(context, {
      ...call,
      database,
      text: textOf(call, options),
      now: options.now,
    });
    const { signal } = deadline;
    const compiled = await context.engine.prepare(ask, { signal, lane: "query" });
    requireColumns(compiled, options);
    const tables = await primed(execute(context, { compiled, started, deadline }));
    return { options, started, plans: compiled.statements, tables };
  } catch (error) {
    deadline[Symbol.dispose]();
    started.end(messageOf(error));
    throw error;
  }
}

function textOf({ request: { text } }: QueryCall, { wantsSchema }: RequestOptions): string {
  return wantsSchema ? `${text.replace(/;\s*$/, "")}\n| getschema` : text;
}

/** Options that would change the answer, and that nothing here heeds. */
const UNSUPPORTED = [
  "query_datetimescope_column",
  "query_datetimescope_from",
  "query_datetimescope_to",
];

function requireSupported({ all, language }: RequestOptions): void {
  const name = UNSUPPORTED.find((one) => (all[one] ?? "") !== "");
  if (name !== undefined) {
    throw new KqlError("unsupported", `The option ${name} is not supported here.`);
  }
  if (language !== undefined && !["csl", "kql"].includes(language.toLowerCase())) {
    throw new KqlError("unsupported", `The query language ${language} is not supported here.`);
  }
}

function requireColumns({ statements }: CompiledQuery, { maxOutputColumns }: RequestOptions): void {
  const most = Math.max(0, ...statements.map(({ columns }) => columns.length));
  if (maxOutputColumns === undefined || most <= maxOutputColumns) return;
  const said = `The result has ${most} columns, more than maxoutputcolumns (${maxOutputColumns}).`;
  throw new KqlError("semantic", said);
}

function startOf({ request, caller, activityId }: QueryCall, database: string) {
  return {
    id: activityId,
    kind: "query",
    commandType: "Query",
    clientRequestId: request.clientRequestId,
    text: request.text,
    database,
    application: request.application,
    user: request.user,
    caller,
  } as const;
}

/** The options of the request, and those that the text sets before the query begins. */
function withTextOptions(options: RequestOptions, text: string): RequestOptions {
  const set = textOptions(text).filter(([name]) => !NOT_BY_TEXT.has(name));
  if (set.length === 0) return options;
  const { isReadOnly } = options;
  return { ...parseOptions({ ...options.all, ...Object.fromEntries(set) }), isReadOnly };
}

const SET = /^set\s+(\w+)\s*(?:=\s*("[^"]*"|'[^']*'|[^;]*?)\s*)?(?:;|$)/i;

function textOptions(text: string): (readonly [string, unknown])[] {
  const options: (readonly [string, unknown])[] = [];
  let rest = withoutComments(text);
  for (let found = SET.exec(rest); found !== null; found = SET.exec(rest)) {
    const [whole, name = "", value] = found;
    options.push([name.toLowerCase(), value?.replace(/^(["'])(.*)\1$/, "$2") ?? true]);
    rest = withoutComments(rest.slice(whole.length));
  }
  return options;
}

interface Execution {
  readonly compiled: CompiledQuery;
  readonly started: StartedActivity;
  readonly deadline: Deadline;
}

async function* execute(
  { engine }: Context,
  { compiled, started, deadline }: Execution,
): AsyncGenerator<ResultTable> {
  using ending = deadline;
  let failure: string | undefined = "The client went away.";
  try {
    const tables = engine.execute(compiled, { signal: ending.signal, lane: "query" });
    for await (const table of tables) yield watched(table, (error) => started.end(error));
    failure = undefined;
  } catch (error) {
    failure = messageOf(error);
    throw error;
  } finally {
    started.end(failure);
  }
}

/** The same table; an error while its rows are read ends the query as failed. */
function watched(table: ResultTable, failed: (message: string) => void): ResultTable {
  async function* rows() {
    try {
      yield* table.rows;
    } catch (error) {
      failed(messageOf(error));
      throw error;
    }
  }
  return { columns: table.columns, rows: rows() };
}

/** The same tables once the first rows of the first one are there. */
async function primed(tables: AsyncGenerator<ResultTable>): Promise<AsyncGenerator<ResultTable>> {
  const first = await tables.next();
  if (first.done === true) return tables;
  const rows = first.value.rows[Symbol.asyncIterator]();
  const chunk = await rows.next().catch(async (error: unknown) => {
    // Nobody reads on, so nobody else would give the connection back.
    await tables.return(undefined);
    throw error;
  });

  async function* all(): AsyncGenerator<readonly string[]> {
    try {
      if (chunk.done === true) return;
      yield chunk.value;
      for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
        yield next.value;
      }
    } finally {
      await rows.return?.();
    }
  }
  const table = { columns: first.value.columns, rows: all() };
  async function* rest(): AsyncGenerator<ResultTable> {
    try {
      yield table;
      yield* tables;
    } finally {
      await tables.return(undefined);
    }
  }
  return rest();
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { Caller } from "#platform/auth/caller.ts";
import { findDatabase } from "../access.ts";
import { databaseOf } from "../catalog/catalog-schema.ts";
import type { Context } from "../context.ts";
import type { QueryRequest } from "../protocol/request.ts";
import { singleTable } from "../protocol/v1.ts";
import { askOf } from "../queries/ask.ts";
import { startDeadline, timeoutOf } from "../queries/deadline.ts";
import { messageOf } from "../queries/run-query.ts";
import type { CommandCall } from "./command.ts";
import { definitionOf, requireAllowed } from "./commands.ts";
import { parseCommand } from "./parse-command.ts";
import { asDatatable, rowTexts, type CommandResult } from "./result.ts";

export interface CommandRequest {
  readonly caller: Caller;
  readonly request: QueryRequest;
  readonly activityId: string;
  /** Ends when the client has gone. */
  readonly gone: AbortSignal;
}

/** Runs a management command to its end, and gives the whole answer as text. */
export async function runCommand(context: Context, asked: CommandRequest): Promise<string> {
  const { request, caller, activityId } = asked;
  const command = parseCommand(request.text);
  const schema = context.catalog.schema();
  const { name } = findDatabase(schema, request.database || context.catalog.defaultDatabase);
  const definition = definitionOf(command);
  const started = context.activities.begin({
    id: activityId,
    kind: "command",
    commandType: command.kind,
    clientRequestId: request.clientRequestId,
    text: request.text,
    database: name,
    application: request.application,
    user: request.user,
    caller,
  });
  const timeoutMs = timeoutOf(request.options, context.limits.commandTimeoutMs);
  using deadline = startDeadline(timeoutMs, [started.signal, asked.gone]);
  try {
    const database = databaseOf(schema, name);
    const { signal } = deadline;
    const call = { context, command, caller, request, database, activityId, signal };
    requireAllowed(call, definition);
    const result = await definition.run(call);
    const answer = await answerOf(call, result);
    started.activity.records = result.rows.length;
    started.end();
    return answer;
  } catch (error) {
    started.end(messageOf(error));
    throw error;
  }
}

/** The result, or what the query behind the bar makes of it. */
async function answerOf(call: CommandCall, result: CommandResult): Promise<string> {
  const { pipe } = call.command;
  if (pipe === undefined) return singleTable(result.columns, rowTexts(result));
  return piped(call, result, pipe);
}

async function piped(call: CommandCall, result: CommandResult, pipe: string): Promise<string> {
  const { context, caller, request, database, signal } = call;
  const { engine } = context;
  const text = `${asDatatable(result)}\n| ${pipe}`;
  const asked = askOf(context, { caller, request, database: database.name, text });
  const compiled = await engine.prepare(asked, { signal, lane: "management" });
  for await (const table of engine.execute(compiled, { signal, lane: "management" })) {
    const rows = await Array.fromAsync(table.rows);
    return singleTable(table.columns, rows.flat());
  }
  return singleTable([], []);
}

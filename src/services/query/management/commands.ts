import { KqlError } from "#engines/kql/kql-error.ts";
import { Problem } from "#platform/problem.ts";
import { databaseCommands } from "./databases.ts";
import { placeOf, type CommandCall, type CommandDefinition, type Commands } from "./command.ts";
import { fromQueryCommands } from "./from-query.ts";
import { functionCommands } from "./functions.ts";
import { ingestCommands } from "./ingest.ts";
import { mappingCommands } from "./mappings.ts";
import { operationCommands } from "./operations.ts";
import type { ParsedCommand } from "./parsed-command.ts";
import { policyCommand } from "./policies.ts";
import { principalCommands } from "./principals.ts";
import { scriptCommands } from "./script.ts";
import { showActivity } from "./show/activity.ts";
import { showDatabases } from "./show/databases.ts";
import { showSchemas } from "./show/schema-json.ts";
import { showServer } from "./show/server.ts";
import { showTables } from "./show/tables.ts";
import { tableCommands } from "./tables.ts";

/** Every command that is run here, by its kind; those about policies have one definition. */
const COMMANDS: ReadonlyMap<string, CommandDefinition> = new Map(
  Object.entries({
    ...showDatabases,
    ...showSchemas,
    ...showTables,
    ...showServer,
    ...showActivity,
    ...databaseCommands,
    ...tableCommands,
    ...functionCommands,
    ...mappingCommands,
    ...principalCommands,
    ...operationCommands,
    ...ingestCommands,
    ...fromQueryCommands,
    ...scriptCommands({ definitionOf, requireAllowed }),
  } satisfies Commands),
);

/** What to do for a command; refuses by name what is not done here. */
export function definitionOf({ kind, text }: ParsedCommand): CommandDefinition {
  const found = COMMANDS.get(kind) ?? policyCommand(kind);
  if (found !== undefined) return found;
  const [words = text] = /^\.[\w-]+(?: +[\w-]+){0,2}/.exec(text) ?? [];
  throw new KqlError("unsupported", `The command ${words} (${kind}) is not supported here.`);
}

/** Refuses what the request or its caller may not do. */
export function requireAllowed(call: CommandCall, { need, isRead }: CommandDefinition): void {
  const { context, caller, request, command } = call;
  if (!isRead && request.options.isReadOnly) {
    const said = `The request is read-only, and ${command.kind} changes something.`;
    throw new Problem(403, "Forbidden", said);
  }
  if (need !== "own") context.access.require(caller, need.action, placeOf(call, need));
}

import { KqlError } from "#engines/kql/kql-error.ts";
import { change, type CommandCall, type CommandDefinition, type Commands } from "./command.ts";
import { parseCommand } from "./parse-command.ts";
import { columnsOf, type Cell, type CommandResult } from "./result.ts";
import { messageOf } from "../queries/run-query.ts";

const STEPS = columnsOf("OperationId:guid, CommandType, CommandText, Result, Reason");
/** Commands of one script. */
const COMMANDS_MAX = 1000;

/** How a script finds and checks the commands in it. */
export interface ScriptCommands {
  readonly definitionOf: (command: CommandCall["command"]) => CommandDefinition;
  readonly requireAllowed: (call: CommandCall, definition: CommandDefinition) => void;
}

/** `.execute database script`: several commands, each as if it came by itself. */
export function scriptCommands(commands: ScriptCommands): Commands {
  return { ExecuteDatabaseScript: change("own", (call) => runScript(call, commands)) };
}

async function runScript(call: CommandCall, commands: ScriptCommands): Promise<CommandResult> {
  const { command, context } = call;
  const goesOn = command.properties.get("continueonerrors")?.toLowerCase() === "true";
  const rows: Cell[][] = [];
  let hasFailed = false;
  for (const text of stepsOf(command.input ?? "")) {
    call.signal.throwIfAborted();
    const id = context.environment.newId();
    if (hasFailed && !goesOn) {
      rows.push([id, "", text, "Skipped", ""]);
      continue;
    }
    const { kind, reason } = await runStep(call, text, commands);
    hasFailed ||= reason !== undefined;
    rows.push([id, kind, text, reason === undefined ? "Completed" : "Failed", reason ?? ""]);
  }
  return { columns: STEPS, rows };
}

async function runStep(call: CommandCall, text: string, commands: ScriptCommands) {
  let kind = "";
  try {
    const command = parseCommand(text);
    ({ kind } = command);
    if (kind === "ExecuteDatabaseScript") {
      throw new KqlError("semantic", "A script does not run scripts.");
    }
    const step = { ...call, command, database: current(call) };
    const definition = commands.definitionOf(command);
    commands.requireAllowed(step, definition);
    await definition.run(step);
    return { kind, reason: undefined };
  } catch (error) {
    return { kind, reason: messageOf(error) };
  }
}

/** The database as it is by now: the steps before may have changed it. */
function current({ context, database }: CommandCall) {
  const { databases } = context.catalog.schema();
  return databases.find(({ id }) => id === database.id) ?? database;
}

/** A command begins on a line of its own, with a dot. */
function stepsOf(script: string): string[] {
  const steps = script
    .split(/^(?=\s*\.[a-z])/m)
    .map((step) => step.replace(/^\s*\/\/.*$/gm, "").trim())
    .filter((step) => step !== "");
  if (steps.length <= COMMANDS_MAX) return steps;
  const said = `The script has ${steps.length} commands, more than ${COMMANDS_MAX}.`;
  throw new KqlError("semantic", said);
}

import { functionOf, type CatalogFunction } from "../catalog/catalog-schema.ts";
import {
  describeFunction,
  dropFunctions,
  putFunction,
  type FunctionRule,
} from "../catalog/functions.ts";
import { askOf } from "../queries/ask.ts";
import { change, CREATE, MANAGE_DATABASE, MANAGE_FUNCTION, SEE, show } from "./command.ts";
import type { CommandCall, Commands } from "./command.ts";
import { argument, argumentsNamed } from "./parsed-command.ts";
import { columnsOf, quotedName, type CommandResult } from "./result.ts";

const FUNCTIONS = columnsOf("Name, Parameters, Body, Folder, DocString");
const NAMES = columnsOf("Name");

/** Commands about stored functions. */
export const functionCommands: Commands = {
  ShowFunctions: show(SEE, ({ database }) => list(database.functions)),
  ShowFunction: show(SEE, ({ database, command }) => {
    return list([functionOf(database, argument(command, "FunctionName"))]);
  }),
  CreateFunction: change(CREATE, (call) => {
    return put(call, call.command.words.has("ifnotexists") ? "create-if-not-exists" : "create");
  }),
  CreateOrAlterFunction: change("own", createOrAlter),
  AlterFunction: change(MANAGE_FUNCTION, (call) => put(call, "alter")),
  AlterFunctionDocString: change(MANAGE_FUNCTION, (call) => {
    return describe(call, { docString: argument(call.command, "Documentation") });
  }),
  AlterFunctionFolder: change(MANAGE_FUNCTION, (call) => {
    return describe(call, { folder: argument(call.command, "Folder") });
  }),
  DropFunction: change(MANAGE_FUNCTION, async (call) => {
    const dropped = await drop(call);
    return { columns: NAMES, rows: dropped.map(({ name }) => [name]) };
  }),
  DropFunctions: change(MANAGE_DATABASE, async (call) => list(await drop(call))),
};

function list(functions: readonly CatalogFunction[]): CommandResult {
  const rows = functions.map(({ name, parameters, body, folder, docString }) => {
    return [name, parameters, body, folder, docString];
  });
  return { columns: FUNCTIONS, rows };
}

/** Whoever may make functions may do so here; what is there already takes more. */
function createOrAlter(call: CommandCall): Promise<CommandResult> {
  const { context, caller, command, database } = call;
  const name = argument(command, "FunctionName");
  const place = { database: database.name };
  const exists = database.functions.some((one) => one.name === name);
  if (exists) context.access.require(caller, "manage", { ...place, function: name });
  else context.access.require(caller, "create", place);
  return put(call, "create-or-alter");
}

async function put(call: CommandCall, rule: FunctionRule): Promise<CommandResult> {
  const { context, command, database } = call;
  if (command.properties.get("skipvalidation")?.toLowerCase() !== "true") validate(call);
  const definition = {
    database: database.name,
    name: argument(command, "FunctionName"),
    parameters: argument(command, "Parameters"),
    body: argument(command, "Body"),
    folder: command.properties.get("folder"),
    docString: command.properties.get("docstring"),
  };
  return list([await putFunction(context.catalog, definition, rule)]);
}

/** A body that does not bind is refused, as nobody could call it. */
function validate({ context, caller, command, database, request }: CommandCall): void {
  const declared = `${argument(command, "Parameters")} ${argument(command, "Body")}`;
  const text = `let ${quotedName(argument(command, "FunctionName"))} = ${declared};\nprint 1`;
  context.engine.compile(askOf(context, { caller, request, database: database.name, text }));
}

async function describe(
  { context, command, database }: CommandCall,
  description: { readonly folder?: string; readonly docString?: string },
): Promise<CommandResult> {
  const name = { database: database.name, name: argument(command, "FunctionName") };
  return list([await describeFunction(context.catalog, { ...name, ...description })]);
}

function drop({ context, command, database }: CommandCall) {
  return dropFunctions(context.catalog, {
    database: database.name,
    names: argumentsNamed(command, "FunctionName"),
    ifExists: command.words.has("ifexists"),
  });
}

import { createHash } from "node:crypto";
import type { Caller } from "#platform/auth/caller.ts";
import type { Action, Place } from "../access.ts";
import type { CatalogDatabase } from "../catalog/catalog-schema.ts";
import type { Context } from "../context.ts";
import type { QueryRequest } from "../protocol/request.ts";
import { maybeArgument, type ParsedCommand } from "./parsed-command.ts";
import type { CommandResult } from "./result.ts";

/** A command that is being run. */
export interface CommandCall {
  readonly context: Context;
  readonly command: ParsedCommand;
  readonly caller: Caller;
  readonly request: QueryRequest;
  /** That of the request. */
  readonly database: CatalogDatabase;
  readonly activityId: string;
  /** Ends with the reason when the command is cancelled, too slow, or its client has gone. */
  readonly signal: AbortSignal;
}

/** What a caller must be allowed to do, and with what. */
export interface Need {
  readonly action: Action;
  readonly at: "cluster" | "database" | "table" | "function";
}

export interface CommandDefinition {
  /** Checked before the command is run; `own` commands check for themselves. */
  readonly need: Need | "own";
  /** Changes nothing, so that read-only requests may run it. */
  readonly isRead: boolean;
  readonly run: (call: CommandCall) => CommandResult | Promise<CommandResult>;
}

export type Commands = Readonly<Record<string, CommandDefinition>>;

/** A command that shows something. */
export function show(need: CommandDefinition["need"], run: CommandDefinition["run"]) {
  return { need, isRead: true, run } satisfies CommandDefinition;
}

/** A command that changes something. */
export function change(need: CommandDefinition["need"], run: CommandDefinition["run"]) {
  return { need, isRead: false, run } satisfies CommandDefinition;
}

export const SEE: Need = { action: "readSchema", at: "database" };
export const SEE_TABLE: Need = { action: "readSchema", at: "table" };
export const MANAGE_TABLE: Need = { action: "manage", at: "table" };
export const MANAGE_DATABASE: Need = { action: "manage", at: "database" };
export const CREATE: Need = { action: "create", at: "database" };
export const MANAGE_FUNCTION: Need = { action: "manage", at: "function" };

/** The database that the command names, or else that of the request. */
export function databaseNameOf({ command, database }: CommandCall): string {
  return maybeArgument(command, "DatabaseName") ?? database.name;
}

/** Where the need of a command is checked. */
export function placeOf(call: CommandCall, { at }: Need): Place {
  if (at === "cluster") return {};
  const place = { database: databaseNameOf(call) };
  const named = (name: string) => maybeArgument(call.command, name);
  if (at === "table") {
    const table = named("TableName") ?? tableOfColumn(call);
    return table === undefined ? place : { ...place, table };
  }
  const name = at === "function" ? named("FunctionName") : undefined;
  return name === undefined ? place : { ...place, function: name };
}

/** The table of `T.column`. */
function tableOfColumn({ command }: CommandCall): string | undefined {
  return command.arguments.find(({ name, path }) => name === "ColumnName" && path.length > 1)
    ?.path[0];
}

/** An id that follows from the text, so that there is nothing to keep. */
export function guidOf(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  const [a, b, c, d] = [
    [0, 8],
    [8, 12],
    [12, 15],
    [15, 18],
  ].map(([from, to]) => digits.slice(from, to));
  return `${a}-${b}-8${c}-8${d}-${digits.slice(18, 30)}`;
}

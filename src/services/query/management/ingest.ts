import { KqlError } from "#engines/kql/kql-error.ts";
import { ticksOf } from "../catalog/ticks.ts";
import type { IngestRequest } from "../ingestion/request.ts";
import { timespanText } from "../protocol/durations.ts";
import { change, type CommandCall, type Commands } from "./command.ts";
import { fetchSource } from "./fetch-source.ts";
import { startOperation } from "./operations.ts";
import { argument, argumentsNamed } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";

const EXTENT = columnsOf("ExtentId:guid");
const LOADED = columnsOf("ExtentId:guid, ItemLoaded, Duration, HasErrors, OperationId:guid");
const INGEST = { action: "ingest", at: "table" } as const;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Commands that bring data: in their own text, or from where a URL leads. */
export const ingestCommands: Commands = {
  IngestInlineIntoTable: change(INGEST, ingestInline),
  IngestIntoTable: change(INGEST, ingestInto),
};

type Options = Omit<IngestRequest, "body" | "signal" | "sourceName">;

/** What `with (…)` says about the data. */
export function optionsOf({ command, database }: CommandCall, format: string): Options {
  const { properties } = command;
  const named = properties.get("ingestionmappingreference");
  const inline = properties.get("ingestionmapping");
  const created = properties.get("creationtime");
  return {
    database: database.name,
    table: argument(command, "TableName"),
    format: (properties.get("format") ?? format).toLowerCase(),
    mapping: mappingOf(named, inline),
    ignoreFirstRecord: properties.get("ignorefirstrecord")?.toLowerCase() === "true",
    badRows: isBestEffort(properties.get("validationpolicy")) ? "skip" : "fail",
    tags: tagsOf(properties.get("tags")),
    creationTime: created === undefined ? undefined : ticksOf(timeOf(created)),
  };
}

function mappingOf(name: string | undefined, text: string | undefined): Options["mapping"] {
  if (name !== undefined) return { name };
  return text === undefined ? undefined : { text };
}

/** A validation policy that lets bad rows be left out: `ValidationImplications` of 1. */
function isBestEffort(policy: string | undefined): boolean {
  return (
    policy !== undefined && /"?ValidationImplications"?\s*:\s*"?(?:1|BestEffort)/i.test(policy)
  );
}

function tagsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const tags = parsed(text);
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === "string")) return tags;
  throw new KqlError("semantic", `tags is ${text}, not a JSON array of strings.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function timeOf(text: string): Date {
  const time = new Date(text.replace(/^datetime\((.*)\)$/i, "$1"));
  if (!Number.isNaN(time.getTime())) return time;
  throw new KqlError("semantic", `creationTime is ${text}, not a time.`);
}

async function ingestInline(call: CommandCall): Promise<CommandResult> {
  const { context, command, signal } = call;
  const body = bytesOf(Buffer.from(command.input ?? ""));
  const options = optionsOf(call, "csv");
  const { extentId } = await context.ingest({
    ...options,
    body,
    signal,
    sourceName: "inline",
  });
  return { columns: EXTENT, rows: extentId === undefined ? [] : [[extentId]] };
}

async function* bytesOf(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data;
}

function ingestInto(call: CommandCall): Promise<CommandResult> {
  if (!call.command.words.has("async")) return ingestSources(call, call.signal);
  return startOperation(call, (signal) => ingestSources(call, signal));
}

/** One source after the other; each of them is all or nothing. */
async function ingestSources(call: CommandCall, signal: AbortSignal): Promise<CommandResult> {
  const { context, command } = call;
  const paths = argumentsNamed(command, "Path").concat(
    argumentsNamed(command, "SourceDataLocator"),
  );
  const rows: CommandResult["rows"][number][] = [];
  for (const path of paths) {
    const startedAt = context.environment.now().getTime();
    const source = await fetchSource(context, path, signal);
    const options = optionsOf(call, source.format);
    const ingested = await context.ingest({
      ...options,
      body: source.bytes,
      sourceName: source.shown,
      signal,
    });
    const duration = context.environment.now().getTime() - startedAt;
    rows.push(loadedRow(ingested.extentId, source.shown, duration));
  }
  return { columns: LOADED, rows };
}

function loadedRow(extentId: string | undefined, shown: string, durationMs: number) {
  return [extentId ?? NO_ID, shown, timespanText(durationMs), "False", NO_ID];
}

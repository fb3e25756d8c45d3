import { Problem } from "#platform/problem.ts";
import { durationMs } from "./durations.ts";

/** Where an error that came after the first row is reported. */
export type ErrorPlacement = "in_data" | "end_of_table" | "end_of_dataset";

/** Request options as they act here; those that steer the language alone stay in `all`. */
export interface RequestOptions {
  /** As asked for; undefined for the default. */
  readonly timeoutMs: number | undefined;
  readonly hasNoTimeout: boolean;
  readonly truncationMaxRecords: number | undefined;
  readonly truncationMaxBytes: number | undefined;
  readonly hasNoTruncation: boolean;
  /** Rows beyond are left out without a word. */
  readonly takeMaxRecords: number | undefined;
  readonly maxOutputColumns: number | undefined;
  readonly defersPartialFailures: boolean;
  readonly isReadOnly: boolean;
  readonly isProgressive: boolean;
  readonly hasNewlines: boolean;
  readonly isFragmented: boolean;
  readonly errorPlacement: ErrorPlacement;
  /** Asks for the columns of the result in place of its rows. */
  readonly wantsSchema: boolean;
  readonly language: string | undefined;
  /** What `now()` is. */
  readonly now: Date | undefined;
  readonly application: string | undefined;
  readonly user: string | undefined;
  readonly description: string | undefined;
  /** Every option as sent, by its name in lower case. */
  readonly all: Readonly<Record<string, unknown>>;
}

const OPTIONS_MAX = 200;
const PLACEMENTS: readonly ErrorPlacement[] = ["in_data", "end_of_table", "end_of_dataset"];

/** Reads the options of a request; unknown ones are kept and have no effect here. */
export function parseOptions(sent: Readonly<Record<string, unknown>>): RequestOptions {
  const entries = Object.entries(sent);
  if (entries.length > OPTIONS_MAX) {
    throw badOption("Options", `has ${entries.length} entries, more than ${OPTIONS_MAX}`);
  }
  const all = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
  const isOn = (name: string) => readFlag(all, name);
  return {
    timeoutMs: readTimeout(all),
    hasNoTimeout: isOn("norequesttimeout"),
    truncationMaxRecords: readCount(all, "truncationmaxrecords"),
    truncationMaxBytes: readCount(all, "truncationmaxsize"),
    hasNoTruncation: isOn("notruncation"),
    takeMaxRecords: readCount(all, "query_take_max_records"),
    maxOutputColumns: readCount(all, "maxoutputcolumns"),
    defersPartialFailures: isOn("deferpartialqueryfailures"),
    isReadOnly: isOn("request_readonly") || isOn("request_readonly_hardline"),
    isProgressive: isOn("results_progressive_enabled"),
    hasNewlines: isOn("results_v2_newlines_between_frames"),
    isFragmented: isOn("results_v2_fragment_primary_tables"),
    errorPlacement: readPlacement(all),
    wantsSchema: isOn("query_results_apply_getschema"),
    language: readText(all, "query_language"),
    now: readTime(all, "query_now"),
    application: readText(all, "request_app_name"),
    user: readText(all, "request_user"),
    description: readText(all, "request_description"),
    all,
  };
}

type Sent = Readonly<Record<string, unknown>>;

function readTimeout(all: Sent): number | undefined {
  const value = all["servertimeout"];
  if (value === undefined || value === null) return undefined;
  const ms = durationMs(value);
  if (ms !== undefined && ms > 0) return ms;
  throw badOption("servertimeout", `is ${shown(value)}, not a time span such as 00:04:00`);
}

/** Clients send flags as booleans, as words and as numbers. */
function readFlag(all: Sent, name: string): boolean {
  const value = all[name];
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (word === "true" || word === "false") return word === "true";
  throw badOption(name, `is ${shown(value)}, neither true nor false`);
}

function readCount(all: Sent, name: string): number | undefined {
  const value = all[name];
  if (value === undefined || value === null) return undefined;
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw badOption(name, `is ${shown(value)}, not a whole number from 0 on`);
}

function readText(all: Sent, name: string): string | undefined {
  const value = all[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readTime(all: Sent, name: string): Date | undefined {
  const value = all[name];
  if (value === undefined || value === null || value === "") return undefined;
  const text = typeof value === "string" ? value.replace(/^datetime\((.*)\)$/i, "$1") : "";
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw badOption(name, `is ${shown(value)}, not a time such as 2026-01-01T00:00:00Z`);
}

function readPlacement(all: Sent): ErrorPlacement {
  const name = "results_error_reporting_placement";
  const value = all[name];
  if (value === undefined || value === null || value === "") return "in_data";
  const asked = typeof value === "string" ? value.toLowerCase().replaceAll("_", "") : "";
  const placement = PLACEMENTS.find((one) => one.replaceAll("_", "") === asked);
  if (placement !== undefined) return placement;
  throw badOption(name, `is ${shown(value)}, none of ${PLACEMENTS.join(", ")}`);
}

const SHOWN_MAX = 80;

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "").slice(0, SHOWN_MAX);
}

function badOption(name: string, reason: string): Problem {
  return new Problem(400, "BadRequest_InvalidRequestProperty", `The option ${name} ${reason}.`);
}

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { CliError } from "./errors.ts";

/**
 * The instance that a data folder belongs to. `stale`: its process is gone without a clean stop,
 * so that its `endpoints.json` was left behind.
 */
export interface Instance {
  readonly state: "running" | "stale" | "stopped";
  readonly endpoints: Endpoints;
}

/** Where the running instance answers, and where the last one did. */
const RUNNING_FILE = "endpoints.json";
const LAST_FILE = "last-endpoints.json";
const CONFIGURATION_FILE = "atoll.yaml";
const DATA_DEFAULT = ".atoll";

/** The texts that `endpoints.json` must hold; the service sees to their content. */
const TEXTS = [
  "data",
  "gateway",
  "console",
  "auth_url",
  "authorization_base_url",
  "inference_endpoint",
  "jobs_base_url",
  "management_base_url",
  "tables_base_url",
  "search_endpoint",
  "cluster_uri",
  "ingestion_uri",
  "database",
  "account_url",
  "tenant_id",
  "subscription_id",
  "resource_group",
] as const satisfies readonly (keyof Endpoints)[];

/** The data folder: as named, or `ATOLL_DATA`, or `data` in `atoll.yaml`, or `.atoll`. */
export async function dataFolder(
  named: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const found = named ?? variables["ATOLL_DATA"] ?? (await configuredData()) ?? DATA_DEFAULT;
  return resolve(found);
}

async function configuredData(): Promise<string | undefined> {
  const text = await textOf(CONFIGURATION_FILE);
  if (text === undefined) return undefined;
  const { parse } = await import("yaml");
  try {
    const content: unknown = parse(text);
    if (!isRecord(content)) return undefined;
    return typeof content["data"] === "string" ? content["data"] : undefined;
  } catch {
    throw new CliError(
      `${CONFIGURATION_FILE} in this folder is not YAML.`,
      "Correct it, or name the data folder with --data.",
    );
  }
}

/** Of the running instance or else of the last one. */
export async function readInstance(data: string): Promise<Instance> {
  const instance = await findInstance(data);
  if (instance !== undefined) return instance;
  throw new CliError(
    `No Atoll has run with the data folder ${data}.`,
    "Start one with npx atoll up, or name its folder with --data.",
  );
}

/** Undefined when no instance has ever been ready with this folder. */
export async function findInstance(data: string): Promise<Instance | undefined> {
  const running = await readEndpoints(join(data, RUNNING_FILE));
  if (running !== undefined) {
    return { state: isAlive(running.pid) ? "running" : "stale", endpoints: running };
  }
  const last = await readEndpoints(join(data, LAST_FILE));
  return last && { state: "stopped", endpoints: last };
}

async function readEndpoints(file: string): Promise<Endpoints | undefined> {
  const text = await textOf(file);
  if (text === undefined) return undefined;
  const content = parsed(text);
  if (isEndpoints(content)) return content;
  throw new CliError(
    `${file} is not what this version of Atoll writes.`,
    "Start Atoll once more with npx atoll up; it writes the file anew.",
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks what the commands rely on, without the libraries that a server needs. */
export function isEndpoints(content: unknown): content is Endpoints {
  if (!isRecord(content)) return false;
  const { version, pid, credentials } = content;
  if (version !== 1 || !Number.isInteger(pid) || !isRecord(credentials)) return false;
  const { admin, client } = credentials;
  return (
    hasTexts(content, TEXTS) &&
    hasTexts(credentials, ["inference_api_key", "storage_account", "storage_key"]) &&
    hasTexts(admin, ["username", "password"]) &&
    hasTexts(client, ["client_id", "client_secret"])
  );
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === "string");
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The file's content; undefined when there is no such file. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== "EACCES") throw error;
    throw new CliError(`${file} may not be read.`, "Run the command as the user of Atoll.");
  }
}

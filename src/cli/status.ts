import type { Command } from "commander";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { notRunning, reach, trust } from "./api.ts";
import { defineClient, type ClientOptions } from "./command.ts";
import { CliError } from "./errors.ts";
import { dataFolder, isRecord, readInstance } from "./instance.ts";
import { formatTable } from "./table.ts";
import type { Terminal } from "./terminal.ts";

const HEALTH_TIMEOUT_MS = 10_000;

/** `atoll status`: the state of each service; fails unless all of them are well. */
export function addStatus(program: Command, terminal: Terminal): void {
  const command = defineClient(program, {
    usage: "status",
    summary: "the state of each service; exit code 1 unless all are well",
    examples: [
      ["npx atoll status", "a line per service"],
      ["npx atoll status -o json", "for scripts"],
    ],
  });
  command.action(async () => {
    const { output, data } = command.opts<ClientOptions>();
    const status = await statusOf(await dataFolder(data, terminal.variables));
    if (output === "json") terminal.print(JSON.stringify(status));
    else if (status.state !== "not running") printStatus(status, terminal);
    const problem = problemOf(status);
    if (problem !== undefined) throw problem;
  });
}

interface ServiceState {
  readonly status: string;
  readonly detail?: string;
}

interface Status {
  readonly state: "ok" | "failed" | "not running";
  readonly detail?: string;
  readonly pid: number;
  readonly data: string;
  readonly gateway: string;
  readonly version?: string;
  readonly services: Readonly<Record<string, ServiceState>>;
}

async function statusOf(folder: string): Promise<Status> {
  const { state, endpoints } = await readInstance(folder);
  const { pid, data, gateway } = endpoints;
  const where = { pid, data, gateway, services: {} };
  if (state !== "running") {
    return { ...where, state: "not running", detail: notRunning(state, endpoints) };
  }
  await trust(endpoints);
  return { ...where, ...(await health(endpoints)) };
}

type Health = Pick<Status, "state" | "services"> & { detail?: string; version?: string };

async function health({ gateway, pid }: Endpoints): Promise<Health> {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
  try {
    const answer = await reach(`${gateway}/health`, { signal });
    const content: unknown = await answer.json();
    if (!isRecord(content)) throw new CliError(`${gateway} is not Atoll.`, "");
    const { version, services } = content;
    return {
      state: answer.ok ? "ok" : "failed",
      services: isRecord(services) ? servicesOf(services) : {},
      ...(typeof version === "string" && { version }),
    };
  } catch (error) {
    const reason = error instanceof CliError ? error.message : `${gateway} is not Atoll.`;
    // The number of a process that was killed may belong to another one by now.
    const detail = `Process ${pid} lives, but ${reason}`;
    return { state: "not running", detail, services: {} };
  }
}

function servicesOf(services: Record<string, unknown>): Record<string, ServiceState> {
  const result: Record<string, ServiceState> = {};
  for (const [name, value] of Object.entries(services)) {
    const { status, detail } = isRecord(value) ? value : {};
    result[name] = {
      status: typeof status === "string" ? status : "unknown",
      ...(typeof detail === "string" && { detail }),
    };
  }
  return result;
}

function printStatus(status: Status, terminal: Terminal): void {
  const rows = Object.entries(status.services).map(([name, service]) => [
    name,
    service.status,
    service.detail ?? "",
  ]);
  terminal.print(formatTable(rows, ["service", "state", "detail"]));
  const version = status.version === undefined ? "Atoll" : `Atoll ${status.version}`;
  terminal.print(`${version}, process ${status.pid}, ${status.gateway}, data in ${status.data}`);
}

function problemOf({ state, detail = "", services }: Status): CliError | undefined {
  if (state === "ok") return undefined;
  if (state === "not running") return new CliError(detail, "Start it with npx atoll up.");
  const failed = Object.keys(services).filter((name) => services[name]?.status === "failed");
  return new CliError(
    `Not every service is well: ${failed.join(", ")}.`,
    "The log of npx atoll up says why; to stop and start it again loses nothing.",
  );
}

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Endpoints } from "#platform/house/endpoints.ts";

const LAUNCHER = new URL("../../bin/atoll.js", import.meta.url).pathname;
const READY_TIMEOUT_MS = 60_000;

export interface AtollProcess {
  readonly endpoints: Endpoints;
  /** The variables of `atoll env`, for programs that a user would run. */
  readonly variables: Readonly<Record<string, string>>;
  /** Stops it as Ctrl-C would, and waits until it is gone. */
  readonly stop: () => Promise<void>;
}

/** A real `atoll up` on free ports, with state of its own that goes with it. */
export async function startAtollProcess(...flags: string[]): Promise<AtollProcess> {
  const ports = ["--port", "--query-port", "--ingest-port", "--blob-port"];
  const zero = ports.flatMap((port) => [port, "0"]);
  const args = [LAUNCHER, "up", "--ephemeral", "-o", "json", ...zero, ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const endpoints = await firstLine(child);
  return {
    endpoints,
    variables: variablesOf(endpoints),
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<Endpoints> {
  if (child.stdout === null) throw new Error("No output to read.");
  const lines = createInterface({ input: child.stdout });
  const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
  const [line] = (await Promise.race([
    once(lines, "line", { signal: timeout }),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`atoll up ended: ${code}`))),
  ])) as [string];
  return JSON.parse(line) as Endpoints;
}

function variablesOf(endpoints: Endpoints): Record<string, string> {
  const { credentials } = endpoints;
  const connection = [
    `DefaultEndpointsProtocol=${new URL(endpoints.account_url).protocol.slice(0, -1)}`,
    `AccountName=${credentials.storage_account}`,
    `AccountKey=${credentials.storage_key}`,
    `BlobEndpoint=${endpoints.account_url}`,
  ];
  return {
    ATOLL_GATEWAY: endpoints.gateway,
    ATOLL_ACCOUNT_URL: endpoints.account_url,
    ATOLL_TENANT_ID: endpoints.tenant_id,
    ATOLL_SUBSCRIPTION_ID: endpoints.subscription_id,
    ATOLL_RESOURCE_GROUP: endpoints.resource_group,
    ATOLL_CLIENT_ID: credentials.client.client_id,
    ATOLL_CLIENT_SECRET: credentials.client.client_secret,
    ATOLL_STORAGE_ACCOUNT: credentials.storage_account,
    ATOLL_STORAGE_CONNECTION_STRING: connection.join(";"),
    ...(endpoints.ca_file !== undefined && { NODE_EXTRA_CA_CERTS: endpoints.ca_file }),
  };
}

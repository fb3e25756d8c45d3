import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { run } from "../../src/cli/program.ts";
import type { Terminal } from "../../src/cli/terminal.ts";

/** What `endpoints.json` holds, for a gateway at `gateway`. */
export function exampleEndpoints(changes: Partial<Endpoints> = {}): Endpoints {
  const gateway = changes.gateway ?? "http://127.0.0.1:8080";
  return {
    version: 1,
    pid: process.pid,
    data: "/home/jane/.atoll",
    gateway,
    console: `${gateway}/console/`,
    auth_url: gateway,
    authorization_base_url: gateway,
    inference_endpoint: gateway,
    jobs_base_url: gateway,
    management_base_url: gateway,
    tables_base_url: gateway,
    search_endpoint: gateway,
    cluster_uri: "http://127.0.0.1:8081",
    ingestion_uri: "http://127.0.0.1:8082",
    database: "NetDefaultDB",
    account_url: "http://127.0.0.1:10000/devstoreaccount1",
    tenant_id: "11111111-1111-4111-8111-111111111111",
    subscription_id: "22222222-2222-8222-8222-222222222222",
    resource_group: "local",
    credentials: {
      admin: { username: "admin", password: 'it\'s a $ecret "word" \\ `x`' },
      client: {
        client_id: "33333333-3333-4333-8333-333333333333",
        client_secret: "a-client-secret-of-some-length",
      },
      inference_api_key: "key-of-inference",
      storage_account: "devstoreaccount1",
      storage_key: "c3RvcmFnZQ==",
    },
    ...changes,
  };
}

/** A terminal that keeps what is written to it. */
export function recordingTerminal(told: Partial<Terminal> = {}) {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal: Terminal = {
    print: (line) => printed.push(line),
    note: (text) => noted.push(text),
    isWatched: false,
    canAsk: false,
    readInput: async () => "",
    pause: async () => {},
    variables: {},
    ...told,
  };
  return { terminal, printed, noted };
}

/** Runs a command line in this process; resolves to its exit code and what it wrote. */
export async function runCli(argv: readonly string[], told: Partial<Terminal> = {}) {
  const { terminal, printed, noted } = recordingTerminal(told);
  const code = await run(argv, terminal);
  return { code, out: printed.join("\n"), err: noted.join("") };
}

/** A data folder as an instance leaves it; let go of with `await using`. */
export async function dataFolderWith(
  endpoints: Endpoints,
  file: "endpoints.json" | "last-endpoints.json" = "endpoints.json",
) {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-cli-"));
  await writeFile(join(folder.path, file), JSON.stringify({ ...endpoints, data: folder.path }));
  return folder;
}

/** The id of a process that has just ended. */
export async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

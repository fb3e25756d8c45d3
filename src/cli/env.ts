import { Option, type Command } from "commander";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { defineClient, type ClientOptions } from "./command.ts";
import { formatVariables, VARIABLE_FORMATS, type VariableFormat } from "./env-formats.ts";
import { dataFolder, isRecord, readInstance } from "./instance.ts";
import type { Terminal } from "./terminal.ts";

interface EnvOptions extends ClientOptions {
  readonly format: VariableFormat | "json";
}

/** `atoll env`: endpoints and development credentials of the running or last instance. */
export function addEnv(program: Command, terminal: Terminal): void {
  const command = defineClient(program, {
    usage: "env",
    summary: "endpoints and development credentials, as variables or JSON",
    examples: [
      ['eval "$(npx atoll env)"', "sets ATOLL_* in this shell"],
      ["npx atoll env --format dotenv > .env", "writes a file for node --env-file"],
      ["npx atoll env --format fish | source", "sets them in fish"],
      ["npx atoll env --format json", "the same as endpoints.json"],
    ],
  });
  command.addOption(
    new Option("--format <format>", "shell to write for")
      .choices([...VARIABLE_FORMATS, "json"])
      .default("shell"),
  );
  command.action(async () => {
    const { format, output, data } = command.opts<EnvOptions>();
    const { endpoints } = await readInstance(await dataFolder(data, terminal.variables));
    if (format === "json" || output === "json") {
      terminal.print(JSON.stringify(endpoints, null, 2));
    } else {
      terminal.print(formatVariables(format, variablesOf(endpoints)));
    }
  });
}

/** What is of no use to a program that calls Atoll. */
const LEFT_OUT = new Set(["version", "pid"]);

/** `ATOLL_*` variables by name: the texts of `endpoints.json`, and a connection string. */
export function variablesOf(endpoints: Endpoints): Map<string, string> {
  const { credentials, ...rest } = endpoints;
  const variables = new Map<string, string>();
  collect(variables, "", rest);
  collect(variables, "", credentials);
  variables.set("ATOLL_STORAGE_CONNECTION_STRING", connectionString(endpoints));
  return variables;
}

function collect(variables: Map<string, string>, prefix: string, values: object): void {
  for (const [key, value] of Object.entries(values)) {
    if (prefix === "" && LEFT_OUT.has(key)) continue;
    // `client` holds `client_id`: saying it once is enough.
    const name = prefix === "" || key.startsWith(`${prefix}_`) ? key : `${prefix}_${key}`;
    if (isRecord(value)) collect(variables, name, value);
    else if (typeof value === "string") variables.set(`ATOLL_${name.toUpperCase()}`, value);
  }
}

function connectionString({ account_url: url, credentials }: Endpoints): string {
  const { protocol } = new URL(url);
  const parts = {
    DefaultEndpointsProtocol: protocol.replace(":", ""),
    AccountName: credentials.storage_account,
    AccountKey: credentials.storage_key,
    BlobEndpoint: url,
  };
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${value};`)
    .join("");
}

import type { Command } from "commander";
import { define } from "./command.ts";
import { UP_FLAGS, type UpFlag } from "./up-flags.ts";

interface UpOptions {
  readonly output: "table" | "json";
  readonly config?: string;
}

/** `atoll up`: one flag per setting; the rest is in `up.ts`, which loads the services. */
export function addUp(program: Command): void {
  const command = define(program, {
    usage: "up",
    summary: "start the services and run until SIGINT or SIGTERM",
    examples: [
      ["npx atoll up", "on the usual ports, state in .atoll"],
      ["npx atoll up --port 9090 --blob-port 9091", "where the usual ports are taken"],
      ["npx atoll up --ephemeral", "a throw-away instance"],
      ["npx atoll up --tls --host 0.0.0.0", "for the network, over TLS"],
      ["npx atoll up --config ci.yaml", "with the settings of a file"],
    ],
  });
  for (const flag of UP_FLAGS) command.option(usageOf(flag), descriptionOf(flag));
  command
    .option("--config <file>", "settings file (default: atoll.yaml, if there is one)")
    .action(async () => {
      const { config, output } = command.opts<UpOptions>();
      const { up } = await import("./up.ts");
      await up({ flags: flagsOf(command), file: config, isJson: output === "json" });
    });
}

/** A switch may be given a value, so that `--tls=false` can override the file. */
function usageOf({ name, takes }: UpFlag): string {
  const flag = `--${name.replaceAll("_", "-")}`;
  return takes === undefined ? `${flag} [true|false]` : `${flag} <${takes}>`;
}

function descriptionOf({ description, default: value }: UpFlag): string {
  return value === "" ? description : `${description} (default: ${value})`;
}

/** The settings given on the command line, by their names in `atoll.yaml`, as text. */
function flagsOf(command: Command): Record<string, string> {
  const given: Record<string, string> = {};
  const values = command.opts<Record<string, string | boolean | undefined>>();
  for (const { name } of UP_FLAGS) {
    const value = values[camelCase(name)];
    if (value !== undefined) given[name] = String(value);
  }
  return given;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}

import { Option, type Command } from "commander";

export interface Definition {
  /** As commander reads it: `list`, `show <principal>`. */
  readonly usage: string;
  readonly summary: string;
  /** Command lines that work as they stand, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
}

/** Adds a command with what all of them have: examples and a choice of output. */
export function define(parent: Command, { usage, summary, examples }: Definition): Command {
  const command = parent.command(usage).description(summary);
  addOutput(command);
  return command.addHelpText("after", exampleText(examples));
}

/** The same, for a command that reads which instance it is about from the data folder. */
export function defineClient(parent: Command, definition: Definition): Command {
  return define(parent, definition).option(
    "--data <dir>",
    "data folder of the instance (default: ATOLL_DATA, data in atoll.yaml, or .atoll)",
  );
}

/** A command that only groups others. */
export function defineGroup(parent: Command, { usage, summary, examples }: Definition): Command {
  return parent.command(usage).description(summary).addHelpText("after", exampleText(examples));
}

export function exampleText(examples: Definition["examples"]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `  $ ${line.padEnd(width)}  ${does}`);
  return `\nExamples:\n${lines.join("\n")}`;
}

function addOutput(command: Command): void {
  command.addOption(
    new Option("-o, --output <format>", "how to answer")
      .choices(["table", "json"])
      .default("table"),
  );
}

export interface ClientOptions {
  readonly output: "table" | "json";
  readonly data?: string;
}

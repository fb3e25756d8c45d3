import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { exampleText } from "./command.ts";
import { addDoctor } from "./doctor.ts";
import { addEnv } from "./env.ts";
import { CliError, describeError, sentence } from "./errors.ts";
import { addPrincipals } from "./principals.ts";
import { addStatus } from "./status.ts";
import { addStorage } from "./storage.ts";
import type { Terminal } from "./terminal.ts";
import { addToken } from "./token.ts";
import { addTour } from "./tour.ts";
import { addUp } from "./up-command.ts";
import { addWait } from "./wait.ts";

const COMMANDS = [
  addEnv,
  addStatus,
  addWait,
  addDoctor,
  addToken,
  addPrincipals,
  addStorage,
  addTour,
];

/** Every command of `atoll`. Nothing that serves is loaded before a command needs it. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command("atoll")
    .description("A cloud's data and AI interfaces on your own machine, on real engines.")
    .version(versionOf(), "-V, --version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.note(text),
      // Errors are shown by `run`, in one form for all of them.
      outputError: () => undefined,
    })
    .addHelpText(
      "after",
      exampleText([
        ["npx atoll up", "start everything on this machine"],
        ["npx atoll tour", "ten minutes, a real call per service"],
        ['eval "$(npx atoll env)"', "endpoints and credentials as variables"],
        ["npx atoll help token", "more on a command"],
      ]),
    );
  addUp(program);
  for (const add of COMMANDS) add(program, terminal);
  return program;
}

/** Runs a command line (without the program's name) and resolves to its exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode;
    const shown = error instanceof CommanderError ? usageError(error, program, argv) : error;
    const isJson = asksForJson(argv);
    terminal.note(`${describeError(shown, isJson)}\n`);
    const stack = error instanceof Error ? error.stack : undefined;
    if (terminal.variables["ATOLL_DEBUG"] === "1") terminal.note(`${stack}\n`);
    return 1;
  }
}

function isHelp({ code }: CommanderError): boolean {
  return ["commander.help", "commander.helpDisplayed", "commander.version"].includes(code);
}

/** commander says "error: unknown option '--x'" and, on a line of its own, what is near. */
function usageError({ message }: CommanderError, program: Command, argv: readonly string[]) {
  const [first = "", ...rest] = message.replace(/^error: /, "").split("\n");
  const near = /Did you mean (.+)\?/.exec(rest.join(" "))?.[1];
  const hint = `npx ${commandOf(program, argv)} --help shows what there is.`;
  return new CliError(sentence(first), near === undefined ? hint : `Did you mean ${near}? ${hint}`);
}

/** The innermost command that the arguments name, as it is typed. */
function commandOf(command: Command, [next, ...rest]: readonly string[]): string {
  const inner = command.commands.find((one) => one.name() === next);
  return inner === undefined ? command.name() : `${command.name()} ${commandOf(inner, rest)}`;
}

/** Known before the command line is understood, so that its errors have the form asked for. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some((argument, index) => {
    if (["-ojson", "--output=json"].includes(argument)) return true;
    return argument === "json" && ["-o", "--output"].includes(argv[index - 1] ?? "");
  });
}

function versionOf(): string {
  const file = new URL("../../package.json", import.meta.url);
  const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"));
  return version;
}

import type { Command } from "commander";
import { CliError } from "../errors.ts";
import type { Terminal } from "../terminal.ts";

/** What both `add` and `update` can set. */
export interface FieldOptions {
  readonly displayName?: string;
  readonly passwordStdin?: true;
  readonly redirectUri?: string[];
  readonly issuer?: string;
  readonly subject?: string;
}

export function addDisplayName(command: Command): Command {
  return command.option("--display-name <text>", "name for people, shown on pages");
}

export function addPassword(command: Command): Command {
  return command.option("--password-stdin", "read the password from standard input");
}

export function addRedirectUris(command: Command): Command {
  return command.option("--redirect-uri <uri...>", "where sign-in may return to");
}

export function addLink(command: Command): Command {
  return command
    .option("--issuer <url>", "external issuer whose tokens stand for this principal")
    .option("--subject <text>", "who it is there: sub of those tokens");
}

/** The fields that were given, by the names that the server has for them. */
export async function fieldsOf(options: FieldOptions, terminal: Terminal): Promise<object> {
  const { displayName, passwordStdin, redirectUri, issuer, subject } = options;
  if ((issuer === undefined) !== (subject === undefined)) {
    throw new CliError("--issuer and --subject belong together.", "Give both, or neither.");
  }
  return {
    ...(displayName !== undefined && { displayName }),
    ...(passwordStdin === true && { password: await readPassword(terminal) }),
    ...(redirectUri !== undefined && { redirectUris: redirectUri }),
    ...(issuer !== undefined && { externalIssuer: issuer, externalSubject: subject }),
  };
}

/** Never from an argument: every user of the machine can read those. */
async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, "");
  if (password !== "") return password;
  throw new CliError(
    "Standard input holds no password.",
    'Pipe it in, for example: printf %s "$PASSWORD" | npx atoll principals ... --password-stdin',
  );
}

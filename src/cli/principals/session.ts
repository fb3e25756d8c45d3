import type { Command } from "commander";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { developmentToken, runningEndpoints, trust } from "../api.ts";
import type { ClientOptions } from "../command.ts";
import { dataFolder, isRecord, readInstance } from "../instance.ts";
import { withProgress } from "../progress.ts";
import { formatTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { PrincipalsApi } from "./principals-api.ts";

/** A command about principals while it runs. */
export interface Session {
  readonly api: PrincipalsApi;
  readonly endpoints: Endpoints;
  readonly terminal: Terminal;
  /** Shows an object: a line per field, or JSON. The sentence is for people only. */
  readonly show: (content: object, sentence?: string) => void;
  /** Shows a list: a table with these columns, or JSON. */
  readonly list: (items: readonly unknown[], columns: readonly string[]) => void;
}

/** Runs `work` with the running instance, as the development client. */
export function withSession(
  command: Command,
  terminal: Terminal,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  return withProgress(terminal, "Asking Atoll", async () => {
    const { output, data } = command.opts<ClientOptions>();
    const folder = await dataFolder(data, terminal.variables);
    const endpoints = runningEndpoints(await readInstance(folder));
    await trust(endpoints);
    const { gateway } = endpoints;
    const { access_token: token } = await developmentToken(endpoints, gateway);
    const isJson = output === "json";
    const shown = presentation(isJson, terminal);
    await work({ api: { gateway, token }, endpoints, terminal, ...shown });
  });
}

function presentation(isJson: boolean, { print }: Terminal): Pick<Session, "show" | "list"> {
  return {
    show(content, sentence) {
      if (isJson) return print(JSON.stringify(content));
      if (sentence !== undefined) print(sentence);
      const rows = Object.entries(content).map(([name, value]) => [`  ${name}`, textOf(value)]);
      if (rows.length > 0) print(formatTable(rows));
    },
    list(items, columns) {
      if (isJson) return print(JSON.stringify(items));
      const rows = items.map((item) =>
        columns.map((column) => textOf(isRecord(item) ? item[column] : undefined)),
      );
      print(rows.length === 0 ? "There are none." : formatTable(rows, columns));
    },
  };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

import { setTimeout as delay } from "node:timers/promises";
import { InvalidArgumentError, type Command } from "commander";
import { trust } from "./api.ts";
import { defineClient, type ClientOptions } from "./command.ts";
import { CliError } from "./errors.ts";
import { dataFolder, findInstance } from "./instance.ts";
import { withProgress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

const TIMEOUT_DEFAULT_S = 60;
const TIMEOUT_MAX_S = 86_400;
const POLL_MS = 100;
const ANSWER_TIMEOUT_MS = 5000;

interface WaitOptions extends ClientOptions {
  readonly timeout: number;
}

/** `atoll wait`: returns once every service answers. */
export function addWait(program: Command, terminal: Terminal): void {
  const command = defineClient(program, {
    usage: "wait",
    summary: "wait until every service answers",
    examples: [
      ["npx atoll up & npx atoll wait", "goes on once Atoll is ready"],
      ["npx atoll wait --timeout 10", "gives up after ten seconds"],
    ],
  });
  command
    .option("--timeout <seconds>", "how long to wait at most", secondsOf, TIMEOUT_DEFAULT_S)
    .action(async () => {
      const { output, data, timeout } = command.opts<WaitOptions>();
      const folder = await dataFolder(data, terminal.variables);
      const waiting = () => untilReady(folder, timeout);
      const gateway = await withProgress(terminal, `Waiting for Atoll in ${folder}`, waiting);
      if (output === "json") terminal.print(JSON.stringify({ ready: true, gateway }));
      else terminal.print(`ready: ${gateway}`);
    });
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= TIMEOUT_MAX_S) return seconds;
  throw new InvalidArgumentError(`It must be a number from 0 to ${TIMEOUT_MAX_S}.`);
}

async function untilReady(folder: string, timeoutS: number): Promise<string> {
  const deadline = performance.now() + timeoutS * 1000;
  for (;;) {
    const gateway = await readyGateway(folder);
    if (gateway !== undefined) return gateway;
    if (performance.now() >= deadline) {
      throw new CliError(
        `Atoll was not ready within ${timeoutS} s with the data folder ${folder}.`,
        "npx atoll status says why; --timeout waits longer; --data names another folder.",
      );
    }
    await delay(POLL_MS);
  }
}

/** The gateway's URL once it says that it is ready. */
async function readyGateway(folder: string): Promise<string | undefined> {
  const instance = await findInstance(folder);
  if (instance?.state !== "running") return undefined;
  const { endpoints } = instance;
  await trust(endpoints);
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(`${endpoints.gateway}/ready`, { signal });
    await answer.body?.cancel();
    return answer.ok ? endpoints.gateway : undefined;
  } catch {
    return undefined;
  }
}

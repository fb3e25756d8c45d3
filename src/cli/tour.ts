import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { callApi, runningEndpoints, trust } from "./api.ts";
import { defineClient, type ClientOptions } from "./command.ts";
import { variablesOf } from "./env.ts";
import { dataFolder, isRecord, readInstance } from "./instance.ts";
import type { Terminal } from "./terminal.ts";
import { createGuide, type TourPart } from "./tour/guide.ts";

const SUFFIX_BYTES = 4;

interface TourOptions extends ClientOptions {
  readonly yes?: true;
}

/** `atoll tour`: one real call per service and more, as curl, with the real answers. */
export function addTour(program: Command, terminal: Terminal): void {
  const command = defineClient(program, {
    usage: "tour",
    summary: "a guided first ten minutes: real calls as curl, with their answers",
    examples: [
      ["npx atoll tour", "waits for Enter between the services"],
      ["npx atoll tour --yes", "runs through"],
    ],
  });
  command.option("-y, --yes", "do not wait between the parts").action(async () => {
    const { output, data, yes } = command.opts<TourOptions>();
    const folder = await dataFolder(data, terminal.variables);
    const endpoints = runningEndpoints(await readInstance(folder));
    await trust(endpoints);
    const isJson = output === "json";
    await leadThrough(endpoints, terminal, { isJson, pauses: !isJson && !yes && terminal.canAsk });
  });
}

interface Manner {
  readonly isJson: boolean;
  readonly pauses: boolean;
}

async function leadThrough(
  endpoints: Endpoints,
  terminal: Terminal,
  { isJson, pauses }: Manner,
): Promise<void> {
  const guide = createGuide({
    variables: variablesFor(endpoints),
    suffix: randomBytes(SUFFIX_BYTES).toString("hex"),
    show: isJson ? () => undefined : terminal.print,
  });
  guide.say('# Variables such as $ATOLL_GATEWAY come from: eval "$(npx atoll env)"');
  guide.say('# and for blob storage: BLOB_ORIGIN="${ATOLL_ACCOUNT_URL%/*}"');
  try {
    for (const [index, { title, run }] of (await partsOf(endpoints)).entries()) {
      if (pauses && index > 0) await terminal.pause("\nEnter goes on, Ctrl-C stops. ");
      guide.say(`## ${title}`);
      await run(guide);
    }
  } catch (error) {
    // What went wrong first is what the user has to know.
    await guide.finish().catch(() => undefined);
    throw error;
  }
  await guide.finish();
  guide.say("That was the tour. docs/reference has every operation of each service.");
  if (isJson) terminal.print(JSON.stringify(guide.steps));
}

function variablesFor(endpoints: Endpoints): Map<string, string> {
  const variables = variablesOf(endpoints);
  return variables.set("BLOB_ORIGIN", new URL(endpoints.account_url).origin);
}

/** The parts of those services that run. */
async function partsOf({ gateway }: Endpoints): Promise<readonly TourPart[]> {
  const { TOUR_PARTS } = await import("./tour/parts.ts");
  const health = await callApi({ method: "GET", url: `${gateway}/health` });
  const services = isRecord(health) && isRecord(health["services"]) ? health["services"] : {};
  return TOUR_PARTS.filter(({ service }) => service in services);
}

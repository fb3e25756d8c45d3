import { reach } from "../api.ts";
import { CliError } from "../errors.ts";
import { isRecord } from "../instance.ts";
import { expand, formatCurl, type TourRequest } from "./curl.ts";

/** One call of the tour. */
export interface Call extends TourRequest {
  /** What it does, as a sentence. */
  readonly title: string;
  /** Statuses that the tour goes on with. */
  readonly expect: readonly number[];
  /** Fields of the JSON answer that later calls refer to, by the variables they become. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The same for headers that hold a URL; its path is kept. */
  readonly keepHeader?: Readonly<Record<string, string>>;
  /** Headers of the answer that are worth a look. */
  readonly showHeaders?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly content: unknown;
}

/** What a call and its answer looked like, with secrets under their variables' names. */
export interface Step {
  readonly title: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly answer: unknown;
}

/** Leads through the tour: shows each call, makes it, shows the answer. */
export interface Guide {
  /** Distinguishes what this tour makes from what is there. */
  readonly suffix: string;
  readonly call: (call: Call) => Promise<void>;
  /** A call that is made when the tour is over, however it ends. */
  readonly later: (call: Call) => void;
  readonly say: (text: string) => void;
  readonly valueOf: (variable: string) => string;
}

/** A service's part of the tour. */
export interface TourPart {
  readonly service: string;
  readonly title: string;
  readonly run: (guide: Guide) => Promise<void>;
}

export interface GuideOptions {
  /** Grows as calls keep what they were answered. */
  readonly variables: Map<string, string>;
  readonly suffix: string;
  readonly show: (text: string) => void;
}

interface FinishedGuide extends Guide {
  readonly steps: readonly Step[];
  /** Makes the calls that were put off, the last one first. */
  readonly finish: () => Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
const SHOWN_LINES_MAX = 16;
const SHOWN_LINE_MAX = 160;

export function createGuide({ variables, suffix, show }: GuideOptions): FinishedGuide {
  const steps: Step[] = [];
  const postponed: Call[] = [];

  async function call(told: Call): Promise<void> {
    show(`\n# ${told.title}\n${formatCurl(told)}`);
    const answer = await send(told, variables);
    keep(told, answer, variables);
    const content = concealed(answer.content, variables);
    const { title, method, url } = told;
    steps.push({ title, method, url, status: answer.status, answer: content });
    show(`\n→ ${answer.status}${headerLines(told, answer)}${shortened(content)}`);
    const kept = [
      ...Object.entries(told.keep ?? {}),
      ...Object.entries(told.keepHeader ?? {}).map(([name, header]) => {
        return [name, `the header ${header}, which curl shows with -i`] as const;
      }),
    ];
    if (kept.length > 0) {
      show(`# From here on: ${kept.map(([name, source]) => `${name}=<${source}>`).join(", ")}`);
    }
    if (told.expect.includes(answer.status)) return;
    throw new CliError(
      `The answer was ${answer.status} where the tour expected ${told.expect.join(" or ")}.`,
      "npx atoll status shows whether every service is well.",
    );
  }

  return {
    suffix,
    steps,
    call,
    later: (postponedCall) => postponed.push(postponedCall),
    say: (text) => show(`\n${text}`),
    valueOf: (variable) => expand(`$${variable}`, variables),
    async finish() {
      show("\n## Leave everything as it was");
      let failure: Error | undefined;
      for (const told of postponed.toReversed()) {
        // What one call leaves behind must not keep the others from being made.
        await call(told).catch((error: Error) => (failure ??= error));
      }
      if (failure !== undefined) throw failure;
    },
  };
}

async function send(told: Call, variables: ReadonlyMap<string, string>): Promise<Answer> {
  const { method, url, headers = {}, form, json, text } = told;
  const filled = (template: string) => expand(template, variables);
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) sent.set(name, filled(value));
  if (json !== undefined) sent.set("content-type", "application/json");
  const answer = await reach(filled(url), {
    method,
    headers: sent,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(form !== undefined && { body: new URLSearchParams(mapValues(form, filled)) }),
    ...(json !== undefined && { body: filled(JSON.stringify(json)) }),
    ...(text !== undefined && { body: filled(text) }),
  });
  return { status: answer.status, headers: answer.headers, content: await contentOf(answer) };
}

function keep(told: Call, { headers, content }: Answer, variables: Map<string, string>): void {
  for (const [name, field] of Object.entries(told.keep ?? {})) {
    const value = isRecord(content) ? content[field] : undefined;
    if (typeof value === "string") variables.set(name, value);
  }
  for (const [name, header] of Object.entries(told.keepHeader ?? {})) {
    const value = headers.get(header);
    if (value === null) continue;
    const { pathname, search } = new URL(value, "http://atoll.invalid");
    variables.set(name, pathname + search);
  }
}

function headerLines({ showHeaders = [] }: Call, { headers }: Answer): string {
  return showHeaders.map((name) => `\n${name}: ${headers.get(name) ?? ""}`).join("");
}

async function contentOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Variables whose values are not for the screen. */
const SECRET_NAME = /(TOKEN|SECRET|KEY|PASSWORD|STRING)$/;

/** The content with the values of secret variables replaced by their names. */
function concealed(content: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (typeof content === "string") {
    let text = content;
    for (const [name, value] of variables) {
      if (SECRET_NAME.test(name)) text = text.replaceAll(value, `$${name}`);
    }
    return text;
  }
  if (Array.isArray(content)) return content.map((item) => concealed(item, variables));
  if (!isRecord(content)) return content;
  const entries = Object.entries(content).map(([name, value]) => [
    name,
    concealed(value, variables),
  ]);
  return Object.fromEntries(entries);
}

/** An answer's content, cut to what fits on a screen. */
function shortened(content: unknown): string {
  if (content === "" || content === undefined) return "";
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  const lines = text.trimEnd().split("\n");
  const shown = lines
    .slice(0, SHOWN_LINES_MAX)
    .map((line) => (line.length > SHOWN_LINE_MAX ? `${line.slice(0, SHOWN_LINE_MAX)}…` : line));
  const left = lines.length - shown.length;
  return `\n${shown.join("\n")}${left > 0 ? `\n… ${left} more lines` : ""}`;
}

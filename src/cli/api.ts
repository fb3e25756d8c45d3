import { readFile } from "node:fs/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { CliError, sentence } from "./errors.ts";
import { isRecord, type Instance } from "./instance.ts";

const REQUEST_TIMEOUT_MS = 30_000;

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly token?: string;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
  /** The command that shows what there is, for when there is no such thing. */
  readonly listedBy?: string;
}

/** Sends a request and returns the JSON of the answer (`undefined` when it has no content). */
export async function callApi(request: ApiRequest): Promise<unknown> {
  const answer = await send(request);
  const text = await answer.text();
  const content = parsed(text);
  if (answer.ok) return content;
  throw new CliError(refusal(answer.status, content, text), hintFor(answer.status, request));
}

async function send({ method, url, token, body, form }: ApiRequest): Promise<Response> {
  const headers = new Headers({ accept: "application/json" });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const content = body === undefined ? form && new URLSearchParams(form) : JSON.stringify(body);
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return await reach(url, {
    method,
    headers,
    signal,
    ...(content !== undefined && { body: content }),
  });
}

/** `fetch`, with one sentence for what keeps it from an answer. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { origin } = new URL(url);
    throw new CliError(
      `${origin} does not answer (${reasonOf(error)}).`,
      "See npx atoll status; npx atoll up starts Atoll.",
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return error.name === "TimeoutError" ? `within ${REQUEST_TIMEOUT_MS / 1000} s` : error.message;
}

/** The sentence of the answer, in whichever of the JSON envelopes it came. */
function refusal(status: number, content: unknown, text: string): string {
  if (isRecord(content)) {
    const { error, error_description: description } = content;
    if (isRecord(error) && typeof error["message"] === "string") return sentence(error["message"]);
    if (typeof description === "string") return sentence(description);
    if (typeof error === "string") return sentence(error);
  }
  const start = text.trim().slice(0, 200);
  return start === "" ? `The answer was ${status}.` : `The answer was ${status}: ${start}`;
}

function hintFor(status: number, { listedBy = "npx atoll principals list" }: ApiRequest): string {
  if (status === 401) return "Start Atoll anew or check the credentials with npx atoll env.";
  if (status === 403)
    return "A role that allows it must be assigned; see docs/reference/authorization.md.";
  if (status === 404) return `${listedBy} shows what there is.`;
  if (status >= 500) return "npx atoll status shows the state of each service.";
  return "Correct the request; --help shows examples.";
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes `fetch` in this process trust the instance's own authority, when it serves TLS. */
export async function trust({ ca_file: file }: Endpoints): Promise<void> {
  if (file === undefined) return;
  const certificate = await readFile(file, "utf8").catch(() => undefined);
  const known = getCACertificates("default");
  if (certificate === undefined || known.includes(certificate)) return;
  setDefaultCACertificates([...known, certificate]);
}

/** The endpoints of an instance that runs; otherwise the error says why there are none. */
export function runningEndpoints({ state, endpoints }: Instance): Endpoints {
  if (state === "running") return endpoints;
  throw new CliError(notRunning(state, endpoints), "Start it with npx atoll up.");
}

/** Why there is nobody to ask. */
export function notRunning(state: "stale" | "stopped", { pid, data }: Endpoints): string {
  if (state === "stopped") return `Atoll is not running with the data folder ${data}.`;
  return (
    `Atoll is not running: its process ${pid} ended without a clean stop and left ` +
    `endpoints.json in ${data}. Nothing that was acknowledged is lost.`
  );
}

/** A token of the development client for an audience (a URL). */
export async function developmentToken(endpoints: Endpoints, audience: string): Promise<Token> {
  return grantedToken(endpoints, "/common/oauth2/token", { resource: audience });
}

/** The development client's token, from this endpoint and with these parameters. */
export async function grantedToken(
  { auth_url: url, credentials: { client } }: Endpoints,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Token> {
  const form = { grant_type: "client_credentials", ...client, ...parameters };
  return asToken(await callApi({ method: "POST", url: `${url}${path}`, form }));
}

export interface Token {
  readonly access_token: string;
  readonly expires_in: number;
  readonly [name: string]: unknown;
}

/** Checks the answer of a token endpoint. */
export function asToken(content: unknown): Token {
  if (isRecord(content) && typeof content["access_token"] === "string") {
    const { access_token: token, expires_in: seconds } = content;
    return { ...content, access_token: token, expires_in: Number(seconds) };
  }
  throw new CliError("The answer holds no token.", "npx atoll status shows what answers there.");
}

import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { parseOptions, type RequestOptions } from "./options.ts";

/** A query or a management command, as it arrived. */
export interface QueryRequest {
  /** Empty when the request names none. */
  readonly database: string;
  readonly text: string;
  readonly options: RequestOptions;
  /** Values of query parameters, as literals of the types that the query declares. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly clientRequestId: string;
  readonly application: string;
  readonly user: string;
}

/** Characters; a longer text would keep the parser, and with it everybody else, waiting. */
export const TEXT_MAX = 2_000_000;
const DATABASE_NAME_MAX = 1024;
const PARAMETERS_MAX = 500;
const CLIENT_REQUEST_ID_MAX = 1024;

type Bag = Readonly<Record<string, unknown>>;

/**
 * Reads `{db, csl, properties}`, the same for GET and POST. `properties` is an object, or a JSON
 * string of one, or absent.
 */
export function parseRequest(
  sent: unknown,
  headers: IncomingHttpHeaders,
  newId: () => string,
): QueryRequest {
  if (!isBag(sent)) throw badRequest("The body is not a JSON object with db and csl.");
  const properties = parseProperties(sent["properties"]);
  const options = parseOptions(bagOf(properties, "Options"));
  const isReadOnly = options.isReadOnly || isSet(headerOf(headers, "x-svc-readonly"));
  return {
    database: parseDatabase(sent["db"]),
    text: parseText(sent["csl"]),
    options: { ...options, isReadOnly },
    parameters: parseParameters(bagOf(properties, "Parameters")),
    clientRequestId: parseClientRequestId(headers, properties, newId),
    application: options.application ?? headerOf(headers, "x-svc-app"),
    user: options.user ?? headerOf(headers, "x-svc-user"),
  };
}

function parseProperties(sent: unknown): Bag {
  if (sent === undefined || sent === null || sent === "") return {};
  const value = typeof sent === "string" ? parsedJson(sent) : sent;
  if (isBag(value)) return value;
  throw badRequest("properties is neither a JSON object nor the JSON text of one.");
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("properties is a text that is not JSON.");
  }
}

function bagOf(properties: Bag, name: string): Bag {
  const value = properties[name];
  if (value === undefined || value === null) return {};
  if (isBag(value)) return value;
  throw badRequest(`properties.${name} is not a JSON object.`);
}

function parseDatabase(sent: unknown): string {
  if (sent === undefined || sent === null) return "";
  if (typeof sent !== "string") throw badRequest("db is not a string.");
  if (sent.length <= DATABASE_NAME_MAX) return sent;
  throw badRequest(`db has ${sent.length} characters, more than ${DATABASE_NAME_MAX}.`);
}

function parseText(sent: unknown): string {
  if (sent === undefined || sent === null) throw badRequest("csl, the text to run, is missing.");
  if (typeof sent !== "string") throw badRequest("csl is not a string.");
  if (sent.trim() === "") throw badRequest("csl is empty.");
  if (sent.length <= TEXT_MAX) return sent;
  throw badRequest(`csl has ${sent.length} characters, more than ${TEXT_MAX}.`);
}

function parseParameters(sent: Bag): Record<string, string> {
  const entries = Object.entries(sent);
  if (entries.length > PARAMETERS_MAX) {
    throw badRequest(`There are ${entries.length} Parameters, more than ${PARAMETERS_MAX}.`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, parameterText(name, value)]));
}

function parameterText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  throw badRequest(`The parameter ${name} has no value.`);
}

function parseClientRequestId(
  headers: IncomingHttpHeaders,
  properties: Bag,
  newId: () => string,
): string {
  const named = properties["ClientRequestId"];
  const sent = headerOf(headers, "x-svc-client-request-id") || (named ?? "");
  if (typeof sent !== "string") throw badRequest("properties.ClientRequestId is not a string.");
  if (sent.length <= CLIENT_REQUEST_ID_MAX) return sent === "" ? `unspecified;${newId()}` : sent;
  const said = `The client request id has ${sent.length} characters`;
  throw badRequest(`${said}, more than ${CLIENT_REQUEST_ID_MAX}.`);
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

function isSet(flag: string): boolean {
  return flag !== "" && flag !== "0" && flag.toLowerCase() !== "false";
}

function isBag(value: unknown): value is Bag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function badRequest(message: string): Problem {
  return new Problem(400, "General_BadRequest", message);
}

/** Whether the text is a management command: its first word begins with a dot. */
export function isCommand(text: string): boolean {
  return withoutComments(text).startsWith(".");
}

/** The text from its first word on: without the blanks and comments in front. */
export function withoutComments(text: string): string {
  return text.replace(/^(?:\s+|\/\/[^\n]*(?:\n|$))+/, "");
}

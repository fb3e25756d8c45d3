import type { Context } from "../context.ts";
import { readXml } from "../fetch/read-xml.ts";
import type { Endpoint } from "./steps.ts";

const TIMEOUT_MS = 60_000;
const CONTENT_MAX = 256 * 1024;
const WEBHOOK_KEY = 4;
const HTTP_HEADER = 5;
const HTTP_QUERY = 6;

export interface Envelope {
  readonly endpoint: Endpoint;
  readonly message: string;
  readonly table: string;
  readonly id: string;
  /** JSON of the execution context. */
  readonly content: string;
  readonly signal: AbortSignal;
}

/** Sends a message; answers the status. Throws when nobody answers. */
export async function post(
  { outbound, unseal, organization }: Context,
  { endpoint, message, table, id, content, signal }: Envelope,
): Promise<number> {
  const isLarge = Buffer.byteLength(content) > CONTENT_MAX;
  const secret = endpoint.authValue === undefined ? "" : unseal(endpoint.authValue);
  const response = await outbound(urlOf(endpoint, secret), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-ms-dynamics-organization": organization.name,
      "x-ms-dynamics-entity-name": table,
      "x-ms-dynamics-request-name": message,
      "x-ms-correlation-request-id": id,
      ...(isLarge && { "x-ms-dynamics-msg-size-exceeded": "true" }),
      ...(endpoint.authType === HTTP_HEADER && settingsOf(secret)),
    },
    body: isLarge ? shortened(content) : content,
    signal,
    totalTimeoutMs: TIMEOUT_MS,
  });
  response.discard();
  return response.status;
}

/** What a large message leaves out. */
function shortened(content: string): string {
  const context: Record<string, unknown> = JSON.parse(content);
  const dropped = ["InputParameters", "ParentContext", "PostEntityImages", "PreEntityImages"];
  for (const name of dropped) delete context[name];
  return JSON.stringify(context);
}

function urlOf({ url, authType }: Endpoint, secret: string): string {
  const target = new URL(url);
  if (authType === WEBHOOK_KEY) target.searchParams.set("code", secret);
  if (authType === HTTP_QUERY) {
    for (const [name, value] of Object.entries(settingsOf(secret))) {
      target.searchParams.set(name, value);
    }
  }
  return target.href;
}

/** `<settings><setting name="…" value="…"/></settings>`. */
function settingsOf(xml: string): Record<string, string> {
  return Object.fromEntries(
    readXml(xml).children.map(({ attributes: { name = "", value = "" } }) => [name, value]),
  );
}

import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { getCACertificates } from "node:tls";
import type { Life } from "./life.ts";
import { OutboundError } from "./outbound-error.ts";
import type { OutboundRequest, OutboundResponse } from "./outbound-fetch.ts";

/** These belong to the connection, which is made here and not by the caller. */
const OWN_HEADERS = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A header that came from a caller and that HTTP does not allow. */
const BAD_HEADER_CODES = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN"]);

export interface Connection {
  readonly url: URL;
  /** The addresses that were checked: no other one is connected to. */
  readonly addresses: readonly string[];
  /** Certificates (PEM) to trust besides the system's. */
  readonly authorities: readonly string[];
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Sends one request on a connection of its own, and answers when the headers are here. */
export async function exchange(
  life: Life,
  connection: Connection,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  life.signal.throwIfAborted();
  const outgoing = open(connection, request);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const stop = () => outgoing.destroy();
  life.signal.addEventListener("abort", stop);
  const connected = connection.url.protocol === "https:" ? "secureConnect" : "connect";
  outgoing.once("socket", (socket) => {
    socket.once(connected, () => life.phase("begin to answer", connection.headersTimeoutMs));
  });
  outgoing.once("response", (response) => {
    life.pause();
    resolve(response);
  });
  outgoing.on("error", (error) => reject(failure(life, error)));
  outgoing.once("close", () => {
    life.signal.removeEventListener("abort", stop);
    life.end();
    // Only a connection that closed without an error and without an answer gets here first.
    reject(failure(life, undefined));
  });
  outgoing.end(request.body);
  const response = await promise;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: bodyOf(response, life, { outgoing, idleTimeoutMs: connection.idleTimeoutMs }),
    discard: stop,
  };
}

function open(connection: Connection, request: OutboundRequest): ClientRequest {
  const { url, addresses, authorities } = connection;
  const given = Object.entries(request.headers ?? {});
  const headers = given.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const options = {
    method: request.method ?? "GET",
    headers: { ...Object.fromEntries(headers), "accept-encoding": "identity" },
    // A connection per request, through no proxy that the environment names.
    agent: false,
    lookup: lookupAmong(addresses),
  } as const;
  try {
    if (url.protocol === "http:") return requestHttp(url, options);
    const ca = [...getCACertificates("default"), ...authorities];
    return requestHttps(url, authorities.length === 0 ? options : { ...options, ca });
  } catch (error) {
    if (!BAD_HEADER_CODES.has(codeOf(error))) throw error;
    const sentence = `A header for ${url.hostname} holds what HTTP does not allow.`;
    throw new OutboundError("refused", sentence, { cause: error });
  }
}

/** A second resolution could answer otherwise than the one that was checked. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, answer) => {
    if (options.all === true) answer(null, found);
    else answer(null, found[0]?.address ?? "", found[0]?.family);
  };
}

async function* bodyOf(
  response: IncomingMessage,
  life: Life,
  { outgoing, idleTimeoutMs }: { outgoing: ClientRequest; idleTimeoutMs: number },
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      life.phase("continue its answer", idleTimeoutMs);
      const chunk = await nextOf(chunks, life);
      life.pause();
      if (chunk.done === true) return;
      yield chunk.value;
    }
  } finally {
    outgoing.destroy();
  }
}

async function nextOf(chunks: AsyncIterator<Uint8Array>, life: Life) {
  try {
    const chunk = await chunks.next();
    // What was received before the fetch failed may have been thrown away.
    life.signal.throwIfAborted();
    return chunk;
  } catch (error) {
    throw failure(life, error);
  }
}

function failure(life: Life, error: unknown): unknown {
  if (life.signal.aborted) return life.signal.reason;
  const code = codeOf(error);
  const why = code === "" ? "" : ` (${code})`;
  const sentence = `The connection to ${life.host} failed${why}.`;
  return new OutboundError("unreachable", sentence, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

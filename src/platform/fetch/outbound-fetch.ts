import type { IncomingHttpHeaders } from "node:http";
import { allowedHosts } from "./allowed-hosts.ts";
import { exchange } from "./exchange.ts";
import { createGate } from "./gate.ts";
import { openLife } from "./life.ts";
import { checkedAddresses, lookupInSystem, parseTarget, type Lookup } from "./target.ts";

const DEFAULTS = {
  connectTimeoutMs: 5000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  totalTimeoutMs: 60_000,
  parallelMax: 32,
  parallelPerHostMax: 8,
  waitingMax: 256,
} as const;

export interface OutboundFetchOptions extends Partial<Record<keyof typeof DEFAULTS, number>> {
  /** Hosts, or `.suffix`, with or without `:port`, that may lead to any address. */
  readonly allowedHosts: readonly string[];
  /** Everybody may fetch from this machine: only while everybody is on this machine. */
  readonly allowLoopback: boolean;
  /** Certificates (PEM) of authorities to trust besides the usual ones. */
  readonly authorities?: readonly string[];
  readonly lookup?: Lookup;
}

export interface OutboundRequest {
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the fetch, its connection included; the fetch or its body then throws the reason. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole fetch, from the wait for a free place to the end of the body. */
  readonly totalTimeoutMs?: number | undefined;
}

export interface OutboundResponse {
  /** As sent: a redirect is returned and not followed. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** To be read once, to its end or as far as wanted; it throws `OutboundError`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that is not read. */
  readonly discard: () => void;
}

/** Throws an `OutboundError`, or the reason of the request's signal. */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<OutboundResponse>;

/**
 * Fetches on behalf of others: from the public internet, from hosts that are allowed by name
 * and, if all are local, from this machine, within limits of time and number.
 */
export function createOutboundFetch(options: OutboundFetchOptions): OutboundFetch {
  const limits = { ...DEFAULTS, ...options };
  const gate = createGate(limits);
  const rules = {
    isAllowed: allowedHosts(options.allowedHosts),
    allowLoopback: options.allowLoopback,
    lookup: options.lookup ?? lookupInSystem,
  };
  const { headersTimeoutMs, idleTimeoutMs, authorities = [] } = limits;

  return async function outboundFetch(text, request = {}) {
    const url = parseTarget(text);
    const life = openLife({
      host: url.host,
      totalTimeoutMs: request.totalTimeoutMs ?? limits.totalTimeoutMs,
      signal: request.signal,
    });
    try {
      life.onEnd(await gate.enter(url.hostname, life.signal));
      life.phase("take the connection", limits.connectTimeoutMs);
      const addresses = await life.during(checkedAddresses(url, rules));
      const connection = { url, addresses, authorities, headersTimeoutMs, idleTimeoutMs };
      return await exchange(life, connection, request);
    } catch (error) {
      life.end();
      throw error;
    }
  };
}

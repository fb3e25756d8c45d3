import type { FastifyReply, FastifyRequest } from "fastify";
import type { Environment } from "../environment.ts";
import type { ListenerName } from "../service.ts";
import { maskUrl } from "./mask-url.ts";

/** How many requests are remembered. */
export const REQUESTS_KEPT_MAX = 1000;

export interface LoggedRequest {
  readonly id: string;
  /** When the answer was finished, ISO 8601. */
  readonly at: string;
  readonly listener: ListenerName;
  readonly service: string;
  readonly method: string;
  /** Path and query as sent, with signatures and tokens masked. */
  readonly url: string;
  readonly status: number;
  /** The refusal's code, when it was one. */
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly dialect: string;
  readonly callerId: string | undefined;
  readonly scheme: string | undefined;
  readonly clientRequestId: string | undefined;
}

export interface RequestFilter {
  readonly service?: string;
  readonly method?: string;
  readonly status?: number;
  readonly caller?: string;
  /** At most so many, the newest. */
  readonly limit?: number;
}

export interface RequestLog {
  readonly add: (request: FastifyRequest, reply: FastifyReply, listener: ListenerName) => void;
  /** Newest first. */
  readonly list: (filter: RequestFilter) => readonly LoggedRequest[];
}

/** The last requests, in memory. Credentials are neither kept nor shown. */
export function createRequestLog(environment: Environment): RequestLog {
  const ring: LoggedRequest[] = [];
  let next = 0;

  return {
    add(request, reply, listener) {
      ring[next % REQUESTS_KEPT_MAX] = describe(request, reply, listener);
      next += 1;
    },
    list(filter) {
      const newestFirst = Array.from({ length: ring.length }, (_, age) => {
        return ring[(next - 1 - age) % REQUESTS_KEPT_MAX];
      });
      const wanted = newestFirst.filter((entry) => entry !== undefined && matches(entry, filter));
      return wanted.filter((entry) => entry !== undefined).slice(0, filter.limit);
    },
  };

  function describe(request: FastifyRequest, reply: FastifyReply, listener: ListenerName) {
    const clientRequestId = request.headers["x-svc-client-request-id"];
    return {
      id: request.id,
      at: environment.now().toISOString(),
      listener,
      service: request.service,
      method: request.method,
      url: maskUrl(request.originalUrl),
      status: reply.statusCode,
      code: request.problemCode,
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      dialect: request.dialect,
      callerId: request.caller?.objectId,
      scheme: request.caller?.scheme,
      clientRequestId: typeof clientRequestId === "string" ? clientRequestId : undefined,
    };
  }
}

function matches(entry: LoggedRequest, filter: RequestFilter): boolean {
  return (
    (filter.service === undefined || entry.service === filter.service) &&
    (filter.method === undefined || entry.method === filter.method.toUpperCase()) &&
    (filter.status === undefined || entry.status === filter.status) &&
    (filter.caller === undefined || entry.callerId === filter.caller)
  );
}

import { Agent, request as openRequest, type IncomingHttpHeaders } from "node:http";
import type { BlobRequest } from "./shared-key.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body, also when it was not kept. */
  readonly length: number;
  /** Empty when it was not to be kept. */
  readonly body: Buffer;
}

/** One keep-alive connection: requests on it go out one after the other. */
export interface Connection {
  readonly send: (request: BlobRequest, body?: Buffer) => Promise<Answer>;
  /** The same, for large answers: the body is received and dropped. */
  readonly measure: (request: BlobRequest, body?: Buffer) => Promise<Answer>;
  readonly close: () => void;
}

/** `origin` is `http://host:port`; nothing is opened before the first request. */
export function openConnection(origin: string): Connection {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  function exchange(request: BlobRequest, body: Buffer | undefined, isKept: boolean) {
    return new Promise<Answer>((resolve, reject) => {
      const { method, path, headers } = request;
      const outgoing = openRequest({ agent, hostname, port, method, path, headers });
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const kept: Buffer[] = [];
        let length = 0;
        incoming.on("data", (piece: Buffer) => {
          length += piece.length;
          if (isKept) kept.push(piece);
        });
        incoming.on("error", reject);
        incoming.on("end", () => {
          const status = incoming.statusCode ?? 0;
          resolve({ status, headers: incoming.headers, length, body: Buffer.concat(kept) });
        });
      });
      outgoing.end(body);
    });
  }

  return {
    send: (request, body) => exchange(request, body, true),
    measure: (request, body) => exchange(request, body, false),
    close: () => agent.destroy(),
  };
}

/** The answer, if it has this status; else an error that quotes it. */
export function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status === status) return answer;
  const code = String(answer.headers["x-ms-error-code"] ?? "");
  const text = answer.body.toString("utf8").slice(0, 400);
  throw new Error(`${what} was answered ${answer.status} ${code}, not ${status}. ${text}`);
}

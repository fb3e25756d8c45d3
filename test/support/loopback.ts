import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface ReceivedRequest {
  /** Method and path with query, such as `GET /books?page=2`. */
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface PlannedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server on this machine that keeps what it received; let go of with `await using`. */
export async function startLoopback(answer: (request: ReceivedRequest) => PlannedAnswer) {
  const received: ReceivedRequest[] = [];
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`;
    const { authorization } = request.headers;
    const one = { line, authorization, body: await text(request) };
    received.push(one);
    const { status, body, headers = {} } = answer(one);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

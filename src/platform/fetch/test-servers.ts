import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A server on a free port of this machine until the test ends; answers the port. */
export async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  return listen(t, createServer(listener));
}

export async function serveTls(
  t: TestContext,
  identity: { readonly key: string; readonly cert: string },
  listener: RequestListener,
): Promise<number> {
  return listen(t, createTlsServer({ key: identity.key, cert: identity.cert }, listener));
}

export async function serveTcp(t: TestContext, accept: (socket: Socket) => void): Promise<number> {
  return listen(t, createTcpServer(accept));
}

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => socket.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

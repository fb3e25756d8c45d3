import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import { flagOf, type Settings } from "../config/settings.ts";
import { createListener, type ListenerOptions } from "../http/listener.ts";
import { LISTENERS, type ListenerName } from "../service.ts";
import { StartError } from "./start-error.ts";

/** How long requests in flight may take to finish once Atoll is told to stop. */
const DRAIN_MS = 10_000;

const PORT_SETTINGS = {
  gateway: "port",
  query: "query_port",
  ingest: "ingest_port",
  blob: "blob_port",
} as const satisfies Record<ListenerName, keyof Settings>;

export interface Listeners {
  readonly apps: Readonly<Record<ListenerName, FastifyInstance>>;
  /** Binds every port; names the one that is taken. */
  readonly listen: () => Promise<void>;
  /** `http://host:port` as clients reach it; known once `listen` has resolved. */
  readonly url: (name: ListenerName) => string;
  /** Finishes what is in flight, for ten seconds at most. */
  readonly close: () => Promise<void>;
}

export function createListeners(
  settings: Settings,
  shared: Omit<ListenerOptions, "name">,
): Listeners {
  const open = (name: ListenerName) => createListener({ ...shared, name });
  const apps = {
    gateway: open("gateway"),
    query: open("query"),
    ingest: open("ingest"),
    blob: open("blob"),
  };
  const scheme = shared.tls === undefined ? "http" : "https";

  return {
    apps,
    async listen() {
      for (const name of LISTENERS) await bind(apps[name], name, settings);
    },
    url(name) {
      const address = apps[name].server.address();
      if (address === null || typeof address === "string") {
        throw new Error(`The ${name} listener has no address yet.`);
      }
      return `${scheme}://${clientHost(settings)}:${address.port}`;
    },
    async close() {
      await Promise.all(Object.values(apps).map(drain));
    },
  };
}

async function bind(app: FastifyInstance, name: ListenerName, settings: Settings): Promise<void> {
  const setting = PORT_SETTINGS[name];
  const { host } = settings;
  const port = settings[setting];
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new StartError(
        `Port ${port} on ${host} is taken, so the ${name} listener cannot start. Stop what ` +
          `listens there, or choose another port with ${flagOf(setting)} (0 takes any free one).`,
      );
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(
        `The ${name} listener cannot bind to ${host} port ${port} (${code}). Choose another ` +
          `address with --host or another port with ${flagOf(setting)}.`,
      );
    }
    throw error;
  }
}

async function drain(app: FastifyInstance): Promise<void> {
  const force = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(force);
}

/**
 * Whether nobody but this machine can reach the listeners. A public name says that something in
 * front of them can.
 */
export function isLocalOnly({ host, public_host }: Settings): boolean {
  return isLoopback(host) && (public_host === "" || isLoopback(public_host));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function clientHost({ host, public_host }: Settings): string {
  if (public_host !== "") return public_host;
  if (host === "0.0.0.0" || host === "::") return hostname();
  return isIP(host) === 6 ? `[${host}]` : host;
}

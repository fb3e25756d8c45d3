import type { FastifyPluginAsync } from "fastify";

/** The ports that Atoll listens on; every service answers on one or more of them. */
export const LISTENERS = ["gateway", "query", "ingest", "blob"] as const;
export type ListenerName = (typeof LISTENERS)[number];

export interface Health {
  readonly status: "ok" | "starting" | "failed";
  /** One sentence for a person, when there is something to say. */
  readonly detail?: string;
}

/** All that the platform knows about a service. There is no base class to extend. */
export interface Service {
  readonly name: string;
  /** Routes, error envelope and content parsers of its protocol, one encapsulated plugin each. */
  readonly routes: Readonly<Partial<Record<ListenerName, FastifyPluginAsync>>>;
  readonly health: () => Promise<Health>;
  /** Lets go of files, ports and child processes; the service's folder is then complete. */
  readonly stop: () => Promise<void>;
}

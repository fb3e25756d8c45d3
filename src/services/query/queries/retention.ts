import type { FastifyBaseLogger } from "fastify";
import type { Catalog } from "../catalog/catalog.ts";
import { enforceRetention } from "../catalog/extents.ts";

/** How often rows are dropped that are older than their table keeps them. */
const EVERY_MS = 600_000;

export interface Retention {
  readonly stop: () => Promise<void>;
}

/** Drops rows that are too old, from now on and every ten minutes. */
export function startRetention(catalog: Catalog, log: FastifyBaseLogger): Retention {
  let running: Promise<void> | undefined;

  function enforce(): void {
    running ??= enforceRetention(catalog)
      .catch((error: unknown) => log.error(error, "Rows that are too old could not be dropped"))
      .finally(() => (running = undefined));
  }

  enforce();
  const timer = setInterval(enforce, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

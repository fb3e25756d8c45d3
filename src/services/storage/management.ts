import type { FastifyPluginAsync } from "fastify";
import { describeRoutes } from "#platform/http/openapi.ts";
import { accountRoutes } from "./accounts/routes.ts";
import type { Context } from "./context.ts";
import { scopeRoutes } from "./encryption/scope-routes.ts";

/** What is managed of the service beside its blobs. */
export interface Management {
  readonly routes: FastifyPluginAsync;
  /** As OpenAPI 3.1, once the routes are registered. */
  readonly describe: () => object;
}

export function createManagement(context: Context): Management {
  let describe: (() => object) | undefined;
  return {
    async routes(app) {
      const description = "Storage accounts and encryption scopes.";
      describe = describeRoutes(app, { title: "Atoll storage", version: "1", description });
      await app.register(accountRoutes(context));
      await app.register(scopeRoutes(context));
    },
    describe: () => describe?.() ?? {},
  };
}

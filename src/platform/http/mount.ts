import type { FastifyInstance } from "fastify";
import type { ListenerName, Service } from "../service.ts";
import { requireCaller, type Authentication } from "./authenticate.ts";

/**
 * Puts a service on a listener. Its requests carry its name, and none of its routes is reached
 * without credentials unless the route itself says so.
 */
export async function mount(
  app: FastifyInstance,
  listener: ListenerName,
  service: Service,
  authentication: Authentication,
): Promise<void> {
  const { name, routes } = service;
  const plugin = routes[listener];
  if (plugin === undefined) return;
  await app.register(async function mounted(scope) {
    scope.addHook("onRequest", async (request) => {
      request.service = name;
    });
    scope.addHook("onRequest", requireCaller(authentication));
    await scope.register(plugin);
  });
}

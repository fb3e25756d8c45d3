import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/problem.ts";
import type { ListenerName } from "#platform/service.ts";

/** Interfaces that this version does not have yet, by where they will answer. */
const PLANNED: readonly { listener: ListenerName; prefix: string; name: string }[] = [
  { listener: "gateway", prefix: "/svc/deployments", name: "model inference" },
  { listener: "gateway", prefix: "/search/", name: "search" },
  { listener: "gateway", prefix: "/api/2.", name: "jobs" },
  { listener: "gateway", prefix: "/subscriptions/", name: "resource management" },
  { listener: "gateway", prefix: "/console/", name: "the console" },
];

/** Whatever no service owns: refused by name where it is planned, 404 elsewhere. */
export function refusePlanned(app: FastifyInstance, listener: ListenerName): void {
  app.setNotFoundHandler((request) => {
    const [path = ""] = request.url.split("?", 1);
    const planned = PLANNED.find((one) => one.listener === listener && path.startsWith(one.prefix));
    if (planned !== undefined) {
      throw new Problem(
        501,
        "NotImplemented",
        `This version of Atoll does not have ${planned.name} yet; docs/roadmap.md says what works.`,
      );
    }
    throw new Problem(404, "ResourceNotFound", `Nothing answers ${request.method} ${path} here.`);
  });
}

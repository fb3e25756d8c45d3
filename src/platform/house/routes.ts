import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { requireAccess, type Decide } from "../auth/access.ts";
import { callerOf } from "../http/authenticate.ts";
import { refuseAsJson } from "../http/json-envelope.ts";
import { Problem } from "../problem.ts";
import { REQUESTS_KEPT_MAX, type RequestLog } from "../requests/request-log.ts";
import type { Health, Service } from "../service.ts";
import type { Metrics } from "../telemetry/metrics.ts";

export interface HouseOptions {
  readonly version: string;
  /** The running services, by name. */
  readonly services: () => readonly DescribedService[];
  readonly isReady: () => boolean;
  readonly decide: Decide;
  readonly requests: RequestLog;
  readonly metrics: Metrics;
}

export interface DescribedService extends Service {
  readonly openapi: () => object;
}

const REQUESTS_SHOWN = 100;

const RequestsQuery = {
  querystring: Type.Object({
    service: Type.Optional(Type.String()),
    method: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    caller: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REQUESTS_KEPT_MAX })),
  }),
};

/** What the house itself answers on the gateway: state, metrics, descriptions, the request log. */
export function houseRoutes(options: HouseOptions): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsJson);

    app.get("/health", { config: { access: "anonymous" } }, async (_request, reply) => {
      const services = await healthOf(options.services());
      const failed = Object.values(services).some(({ status }) => status === "failed");
      const status = failed ? "failed" : "ok";
      return reply.code(failed ? 503 : 200).send({ status, version: options.version, services });
    });

    app.get("/ready", { config: { access: "anonymous" } }, async (_request, reply) => {
      const ready = options.isReady();
      return reply.code(ready ? 200 : 503).send({ ready });
    });

    app.get("/metrics", async (request, reply) => {
      const access = { action: "Svc.Atoll/metrics/read", scope: "/", plane: "control" } as const;
      requireAccess(options.decide, callerOf(request), access);
      const { registry } = options.metrics;
      return reply.type(registry.contentType).send(await registry.metrics());
    });

    app.get("/admin/requests", { schema: RequestsQuery }, async (request) => {
      const access = { action: "Svc.Atoll/requests/read", scope: "/", plane: "control" } as const;
      requireAccess(options.decide, callerOf(request), access);
      const { limit = REQUESTS_SHOWN, ...filter } = request.query;
      return { value: options.requests.list({ ...filter, limit }) };
    });

    app.get(
      "/openapi/:file",
      { schema: { params: Type.Object({ file: Type.String() }) } },
      (request) => {
        const { file } = request.params;
        const service = options.services().find(({ name }) => `${name}.json` === file);
        if (service !== undefined) return Promise.resolve(service.openapi());
        const names = options.services().map(({ name }) => `${name}.json`);
        const sentence = `No description ${file}; there are ${names.join(", ")}.`;
        throw new Problem(404, "ResourceNotFound", sentence);
      },
    );
  };
}

async function healthOf(services: readonly Service[]): Promise<Record<string, Health>> {
  const entries = services.map(async ({ name, health }) => [name, await health()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

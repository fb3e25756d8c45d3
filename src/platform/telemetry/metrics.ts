import type { FastifyReply, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Seconds; from a tenth of a millisecond, which a small read takes, to ten seconds. */
const DURATION_BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Sampled more often, the event loop would never be idle. */
const LAG_SAMPLED_MS = 1000;

export interface Metrics {
  readonly registry: Registry;
  readonly observe: (request: FastifyRequest, reply: FastifyReply, listener: string) => void;
}

/** Prometheus metrics: one histogram of all requests, and what the process itself uses. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: "atoll_",
    eventLoopMonitoringPrecision: LAG_SAMPLED_MS,
  });
  const info = new Gauge({
    name: "atoll_info",
    help: "Always 1; the label tells the version.",
    labelNames: ["version"],
    registers: [registry],
  });
  info.set({ version }, 1);
  const duration = new Histogram({
    name: "atoll_http_request_duration_seconds",
    help: "From the first byte of a request to the last byte of its answer.",
    labelNames: ["listener", "service", "method", "status"],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    observe(request, reply, listener) {
      const { service, method } = request;
      const labels = { listener, service, method, status: reply.statusCode };
      duration.observe(labels, reply.elapsedTime / 1000);
    },
  };
}

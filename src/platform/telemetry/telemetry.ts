import type { FastifyReply, FastifyRequest } from "fastify";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Tracing } from "./tracing.ts";

export interface TelemetryOptions {
  /** Base URL of an OpenTelemetry collector (OTLP over HTTP); no traces without one. */
  readonly otlpEndpoint: string | undefined;
  readonly version: string;
}

export interface Telemetry {
  readonly started: (request: FastifyRequest, listener: string) => void;
  readonly finished: (request: FastifyRequest, reply: FastifyReply, listener: string) => void;
  readonly metrics: Metrics;
  /** Sends what has not been sent yet. */
  readonly close: () => Promise<void>;
}

export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const metrics = createMetrics(options.version);
  const tracing = await openTracing(options);
  return {
    metrics,
    started(request, listener) {
      tracing?.started(request, listener);
    },
    finished(request, reply, listener) {
      metrics.observe(request, reply, listener);
      tracing?.finished(request, reply);
    },
    async close() {
      await tracing?.close();
    },
  };
}

async function openTracing(options: TelemetryOptions): Promise<Tracing | undefined> {
  if (options.otlpEndpoint === undefined) return undefined;
  // Loaded only when it is wanted: the exporter costs more to start than the rest of Atoll.
  const { createTracing } = await import("./tracing.ts");
  return createTracing(options.otlpEndpoint, options.version);
}

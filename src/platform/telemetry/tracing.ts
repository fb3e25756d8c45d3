import {
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  ROOT_CONTEXT,
  type Span,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { TracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace";
import type { FastifyReply, FastifyRequest } from "fastify";
import { maskUrl } from "../requests/mask-url.ts";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface Tracing {
  readonly started: (request: FastifyRequest, listener: string) => void;
  readonly finished: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly close: () => Promise<void>;
}

/** A span for every request, a child of the caller's when it sent `traceparent`. */
export function createTracing(otlpEndpoint: string, version: string): Tracing {
  const url = new URL("v1/traces", otlpEndpoint.endsWith("/") ? otlpEndpoint : `${otlpEndpoint}/`);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "atoll", "service.version": version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: url.href }) }),
    ],
  });
  const tracer = provider.getTracer("atoll", version);
  const spans = new WeakMap<FastifyRequest, Span>();

  return {
    started(request, listener) {
      const [path = ""] = maskUrl(request.originalUrl).split("?", 1);
      const attributes = {
        "http.request.method": request.method,
        "url.path": path,
        "atoll.listener": listener,
        "atoll.request_id": request.id,
      };
      const options = { kind: SpanKind.SERVER, attributes };
      spans.set(request, tracer.startSpan(request.method, options, parentOf(request)));
    },
    finished(request, reply) {
      const span = spans.get(request);
      if (span === undefined) return;
      span.setAttribute("http.response.status_code", reply.statusCode);
      span.setAttribute("atoll.service", request.service);
      span.updateName(`${request.method} ${request.routeOptions.url ?? ""}`.trim());
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    close: () => provider.shutdown(),
  };
}

function parentOf(request: FastifyRequest) {
  const sent = request.headers["traceparent"];
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(sent)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

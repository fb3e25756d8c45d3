import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { pino } from "pino";
import { realEnvironment } from "../environment.ts";
import { createListener } from "../http/listener.ts";
import { createRequestLog } from "../requests/request-log.ts";
import { openTelemetry } from "./telemetry.ts";

interface Exported {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { name: string; traceId: string; parentSpanId: string }[];
    }[];
  }[];
}

/** A collector that keeps what it is sent. */
async function collector() {
  const received: Exported[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      assert.equal(request.url, "/v1/traces");
      received.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { received, server, url: `http://127.0.0.1:${port}` };
}

suite("traces", () => {
  test("reach the collector, as children of the caller's span", async () => {
    const { received, server, url } = await collector();
    const telemetry = await openTelemetry({ otlpEndpoint: url, version: "1" });
    const app = createListener({
      name: "blob",
      tls: undefined,
      environment: realEnvironment,
      log: pino({ level: "silent" }),
      requests: createRequestLog(realEnvironment),
      telemetry,
    });
    app.get("/hello/:name", async () => "hello");
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    await app.inject({ url: "/hello/you?sig=secret", headers });
    await telemetry.close();
    server.close();
    const spans = received.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    assert.deepEqual(
      spans.map((span) => [span.name, span.traceId, span.parentSpanId]),
      [["GET /hello/:name", traceId, "b7ad6b7169203331"]],
    );
    assert.doesNotMatch(JSON.stringify(received), /secret/);
  });
});

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const METHODS = "GET, POST, OPTIONS";
const MAX_AGE_S = "3600";
const EXPOSED =
  "x-ms-activity-id, x-ms-client-request-id, x-svc-activity-id, x-svc-client-request-id";
/** Header names that a page may ask to send, as one text. */
const REQUESTED_MAX = 4096;

/**
 * Lets the pages of listed origins call. Other origins get an answer without the headers that
 * their browser waits for.
 */
export function allowOrigins(app: FastifyInstance, origins: () => readonly string[]): void {
  // Refusals as well, and those of hooks that come before: a page has to see why.
  app.addHook("onSend", async (request, reply) => {
    allow(request, reply, origins());
  });
  app.options("/*", { config: { access: "anonymous" } }, (request, reply) => {
    const requested = request.headers["access-control-request-headers"];
    if (origins().includes(request.headers.origin ?? "")) {
      reply.header("access-control-allow-methods", METHODS);
      reply.header("access-control-max-age", MAX_AGE_S);
      // The web client of the service sends a header of its own, so names are not listed here.
      if (requested !== undefined && requested.length <= REQUESTED_MAX) {
        reply.header("access-control-allow-headers", requested);
      }
    }
    return reply.code(204).send();
  });
}

function allow(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "origin" : `${String(vary)}, origin`);
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return;
  reply.header("access-control-allow-origin", origin);
  reply.header("access-control-expose-headers", EXPOSED);
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { toProblem } from "./app.ts";

/** `{error: {code, message}}`: the envelope of every JSON interface that names no other. */
export function refuseAsJson(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, code, message, detail } = toProblem(error);
  return reply
    .code(statusCode)
    .headers(detail.headers ?? {})
    .send({ error: { code, message } });
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../problem.ts";
import { toProblem } from "./app.ts";

/** `{error: {code, message}}`: the envelope of every JSON interface that names no other. */
export function refuseAsJson(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, code, message, detail } = toProblem(error);
  // A refusal that was meant is no fault, whatever its status.
  if (statusCode >= 500 && !(error instanceof Problem)) request.log.error(error);
  return reply
    .code(statusCode)
    .headers(detail.headers ?? {})
    .send({ error: { code, message } });
}

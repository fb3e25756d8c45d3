import type { FastifyReply, FastifyRequest } from "fastify";
import { QueueFullError } from "#engines/duckdb/errors.ts";
import { Problem } from "#platform/problem.ts";
import { CatalogError, type CatalogErrorKind } from "../catalog/catalog-error.ts";
import { IngestionError } from "../ingestion/ingestion-error.ts";
import { errorBody, toFault } from "./errors.ts";
import type { Activity } from "./result.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The query or command, once read; errors name places in it. */
    queryText: string;
    /** Its id as the client names it. */
    queryClientRequestId: string;
  }
}

const RETRY_AFTER_S = "1";

/** How an answer names the request. */
export function activityOf(request: FastifyRequest, now: () => Date): Activity {
  const { id, queryClientRequestId: clientRequestId } = request;
  return { activityId: id, clientRequestId, startedAt: now(), now };
}

/** This protocol's envelope of errors. */
export function refuseAsQuery(now: () => Date) {
  return function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const fault = toFault(asRefusal(error), request.queryText);
    return reply
      .code(fault.status)
      .headers(fault.headers)
      .header("x-svc-activity-id", request.id)
      .type("application/json; charset=utf-8")
      .send(errorBody(fault, activityOf(request, now)));
  };
}

/** What engines and the catalogue throw, as refusals of this protocol. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof QueueFullError) {
    return new Problem(429, "TooManyRequests", `The request was throttled: ${error.message}`, {
      headers: { "retry-after": RETRY_AFTER_S },
    });
  }
  if (error instanceof IngestionError) {
    const isTooLarge = error.kind === "too-large";
    const code = isTooLarge ? "RequestBodyTooLarge" : "BadRequest_InvalidData";
    return new Problem(isTooLarge ? 413 : 400, code, error.message);
  }
  if (!(error instanceof CatalogError)) return error;
  return new Problem(400, CATALOG_CODES[error.kind], error.message);
}

const CATALOG_CODES: Readonly<Record<CatalogErrorKind, string>> = {
  "not-found": "BadRequest_EntityNotFound",
  "already-exists": "BadRequest_EntityAlreadyExists",
  "invalid-name": "BadRequest_EntityNameIsNotValid",
  "invalid-schema": "BadRequest_InvalidSchema",
  "invalid-value": "General_BadRequest",
  limit: "LimitsExceeded",
};

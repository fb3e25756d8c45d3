import { TypeBoxValidatorCompiler } from "@fastify/type-provider-typebox";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import type { Caller } from "../auth/caller.ts";
import { Problem } from "../problem.ts";
import type { Dialect } from "./dialect.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The dialect in which the request was asked, and in which it is answered. */
    dialect: Dialect;
    /** Who asks, once known. Routes with `access: "anonymous"` may leave it undefined. */
    caller: Caller | undefined;
    /** The service that owns the route, for logs and metrics. */
    service: string;
    /** The code of the refusal, when there was one. */
    problemCode: string | undefined;
  }

  interface FastifyContextConfig {
    /**
     * `bearer` (the default): a valid token is required before the route is reached.
     * `anonymous`: the specification says that the route needs no credentials.
     * `own`: the service authenticates by a scheme of its protocol, in its own hook.
     */
    access?: "bearer" | "anonymous" | "own";
    /** Also accept the `api-key` header. */
    apiKey?: boolean;
  }
}

const PATH_PARAMETER_MAX = 2048;

/** A server that neither changes what arrives nor hides what is answered. */
export function createApp(options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify({ routerOptions: { maxParamLength: PATH_PARAMETER_MAX }, ...options });
  // Bodies are checked as sent; only query, path and headers (always text) are converted.
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  // The default serializer leaves out every field that the response schema lacks.
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest("dialect", "native");
  app.decorateRequest("caller", undefined);
  app.decorateRequest("service", "");
  app.decorateRequest("problemCode", undefined);
  return app;
}

/**
 * What goes to the caller of whatever was thrown: a `Problem` as it is, Fastify's own 4xx with
 * their sentence, and a 500 that tells nothing of anything else (the cause belongs in the log).
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && "code" in error && "statusCode" in error) {
    const { code, statusCode, message } = error;
    const own = typeof code === "string" && code.startsWith("FST_");
    if (own && typeof statusCode === "number" && statusCode < 500) {
      return new Problem(statusCode, fastifyCodes[code] ?? "InvalidRequest", message);
    }
  }
  return new Problem(500, "InternalError", "Atoll failed to answer; its log holds the cause.");
}

const fastifyCodes: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: "InvalidUri",
  FST_ERR_CTP_BODY_TOO_LARGE: "RequestBodyTooLarge",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UnsupportedMediaType",
  FST_ERR_MAX_PARAM_LENGTH: "RequestUriTooLong",
};

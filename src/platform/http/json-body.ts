import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/problem.ts";

/**
 * Clients name a content type where there is no body, and leave it out where there is one. What
 * is not there is undefined, for the schema to refuse; what has no type is read as JSON.
 */
export function acceptJson(
  app: Pick<FastifyInstance, "addContentTypeParser" | "getDefaultJsonParser">,
) {
  const parseJson = app.getDefaultJsonParser("error", "error");
  const asText = { parseAs: "string" } as const;
  app.addContentTypeParser<string>("application/json", asText, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parseJson(request, body, done);
  });
  app.addContentTypeParser<string>("*", asText, (request, body, done) => {
    const type = request.headers["content-type"];
    if (body === "") done(null, undefined);
    else if (type === undefined) void parseJson(request, body, done);
    else done(new Problem(415, "UnsupportedMediaType", `The body is ${type}, not JSON.`));
  });
}

import type { FastifyRequest } from "fastify";
import { Problem } from "../problem.ts";

/** A hook that demands the query parameter `api-version` and names the versions served. */
export function requireApiVersion(supported: readonly string[]) {
  return async function checkApiVersion(request: FastifyRequest): Promise<void> {
    const sent = new URL(request.url, "http://localhost").searchParams.getAll("api-version");
    const [version] = sent;
    if (version === undefined || version === "") {
      throw new Problem(
        400,
        "MissingApiVersionParameter",
        `The query parameter api-version is required; supported: ${supported.join(", ")}.`,
      );
    }
    if (sent.length > 1 || !supported.includes(version)) {
      throw new Problem(
        400,
        "UnsupportedApiVersion",
        `The api-version "${sent.join(",")}" is not served here; supported: ` +
          `${supported.join(", ")}.`,
      );
    }
  };
}

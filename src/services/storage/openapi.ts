import { MISSING_OPERATIONS } from "./missing-operations.ts";
import { OPERATIONS } from "./operations.ts";

const PATHS = {
  account: "/{account}",
  container: "/{account}/{container}",
  blob: "/{account}/{container}/{blob}",
} as const;

/**
 * The operations as OpenAPI 3.1, as far as it can tell them apart: several operations of this
 * protocol share a path and a method, so the query that decides is written behind the path.
 * What is managed on the gateway comes with them.
 */
export function describeStorage(management: object): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const shape of [...MISSING_OPERATIONS, ...OPERATIONS]) {
    const query = new URLSearchParams();
    if (shape.restype !== undefined) query.set("restype", shape.restype);
    if (shape.comp !== undefined) query.set("comp", shape.comp);
    const search = query.size === 0 ? "" : `?${query.toString()}`;
    const entry = (paths[PATHS[shape.level] + search] ??= {});
    const missing = !("run" in shape);
    const method = shape.method.toLowerCase();
    if (missing && method in entry) continue;
    entry[method] = {
      summary: shape.name,
      responses: {
        default: {
          description: missing ? "501: not there yet." : "See docs/reference/storage.md.",
        },
      },
    };
  }
  const info = { title: "Atoll storage", version: "2026-12-06", description: "Blob service." };
  const managed = "paths" in management ? management.paths : {};
  return { openapi: "3.1.0", info, paths: { ...paths, ...Object(managed) } };
}

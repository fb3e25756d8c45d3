import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify";

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly schema: FastifySchema & { readonly summary?: string };
}

/**
 * Collects the routes that are added to `app` from now on, and describes them as OpenAPI 3.1.
 * TypeBox schemas are JSON Schema already, so nothing is translated.
 */
export function describeRoutes(app: FastifyInstance, info: OpenApiInfo): () => object {
  const operations: Operation[] = [];
  app.addHook("onRoute", (route) => {
    operations.push(...operationsOf(route));
  });
  return () => ({ openapi: "3.1.0", info, paths: pathsOf(operations) });
}

function operationsOf(route: RouteOptions): Operation[] {
  const methods = [route.method].flat().filter((method) => method !== "HEAD");
  const path = route.url.replace(/:(\w+)/g, "{$1}");
  const schema = route.schema ?? {};
  return methods.map((method) => ({ path, method: method.toLowerCase(), schema }));
}

function pathsOf(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, schema } of operations) {
    const entry = (paths[path] ??= {});
    entry[method] = {
      ...(schema.summary !== undefined && { summary: schema.summary }),
      parameters: [
        ...parametersOf("query", schema.querystring),
        ...parametersOf("path", schema.params),
        ...parametersOf("header", schema.headers),
      ],
      ...(schema.body !== undefined && { requestBody: { content: asJson(schema.body) } }),
      responses: responsesOf(schema.response),
    };
  }
  return paths;
}

function parametersOf(place: "header" | "path" | "query", schema: unknown) {
  if (!isObjectSchema(schema)) return [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || (schema.required ?? []).includes(name),
    schema: property,
  }));
}

function isObjectSchema(
  schema: unknown,
): schema is { properties: Record<string, object>; required?: string[] } {
  return typeof schema === "object" && schema !== null && "properties" in schema;
}

function responsesOf(response: unknown) {
  const entries = Object.entries(response ?? {});
  if (entries.length === 0) return { default: { description: "See the service's page." } };
  return Object.fromEntries(
    entries.map(([status, schema]) => [
      status,
      { description: `Status ${status}.`, content: asJson(schema) },
    ]),
  );
}

function asJson(schema: unknown) {
  return { "application/json": { schema } };
}

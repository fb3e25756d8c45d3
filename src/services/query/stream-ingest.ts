import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { callerOf } from "#platform/http/authenticate.ts";
import { Problem } from "#platform/problem.ts";
import { findDatabase } from "./access.ts";
import { findTable } from "./catalog/catalog-schema.ts";
import type { Context } from "./context.ts";
import { fetchSource } from "./management/fetch-source.ts";
import { columnsOf } from "./management/result.ts";
import { singleTable } from "./protocol/v1.ts";
import * as schema from "./schema.ts";

const RESULT = columnsOf(
  "ConsumedRecordsCount:long, UpdatePolicyStatus, UpdatePolicyFailureCode, " +
    "UpdatePolicyFailureReason",
);
/** Bytes of a body that names a source instead of holding the data. */
const SOURCE_BODY_BYTES_MAX = 65_536;

const SourceBody = Type.Object({
  sourceUri: Type.Optional(Type.String({ minLength: 1 })),
  SourceUri: Type.Optional(Type.String({ minLength: 1 })),
});

/** Adding rows by one request: the body is the data, or names where it is. */
export function streamIngestRoutes(context: Context): FastifyPluginAsync {
  return async function routes(app) {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const { StreamIngest } = schema;
    for (const [path, options] of [
      ["/v1/rest/ingest/:database/:table", { schema: StreamIngest }],
      ["/v1/rest/ingest", {}],
    ] as const) {
      app.post(path, options, async (request, reply) => {
        const text = await ingest(context, request);
        return reply.type("application/json; charset=utf-8").send(text);
      });
    }
  };
}

async function ingest(context: Context, request: FastifyRequest): Promise<string> {
  const query = textsOf(request.query);
  const path = textsOf(request.params);
  const { database, table } = placeOf(context, {
    database: path["database"] ?? query["db"] ?? query["database"],
    table: path["table"] ?? query["table"],
  });
  context.access.require(callerOf(request), "ingest", { database, table });
  const controller = new AbortController();
  const { bytes, sourceName } = await sourceOf(context, request, query, controller.signal);
  const mapping = query["mappingname"];
  const { rows } = await context.ingestStream({
    database,
    table,
    format: (query["streamformat"] ?? "csv").toLowerCase(),
    mapping: mapping === undefined || mapping === "" ? undefined : { name: mapping },
    ignoreFirstRecord: query["ignorefirstrecord"]?.toLowerCase() === "true",
    body: bytes,
    sourceName,
    signal: controller.signal,
  });
  return singleTable(RESULT, [JSON.stringify([rows, "Inactive", "Unknown", null])]);
}

/** Names of parameters in lower case; clients write them in several ways. */
function textsOf(sent: unknown): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(sent ?? {}).map(([name, value]) => {
    return [name.toLowerCase(), typeof value === "string" ? value : undefined] as const;
  });
  return Object.fromEntries(entries);
}

function placeOf(
  { catalog }: Context,
  named: { readonly database: string | undefined; readonly table: string | undefined },
): { database: string; table: string } {
  if (named.database === undefined || named.table === undefined) {
    const said = "The request names no database and table: /v1/rest/ingest/{database}/{table}.";
    throw new Problem(400, "General_BadRequest", said);
  }
  const schemaNow = catalog.schema();
  const { name } = findDatabase(schemaNow, named.database);
  const database = schemaNow.databases.find((one) => one.name === name);
  const table = database === undefined ? undefined : findTable(database, named.table);
  if (table !== undefined) return { database: name, table: table.name };
  // Clients read a 404 as "this table takes no streaming ingestion", which is what is meant.
  const said = `There is no table '${named.table}' in database '${name}'.`;
  throw new Problem(404, "BadRequest_EntityNotFound", said);
}

async function sourceOf(
  context: Context,
  request: FastifyRequest,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
) {
  const { ingestBytesMax } = context.limits;
  const sent = asBytes(request.body);
  if (query["sourcekind"]?.toLowerCase() !== "uri") {
    const size = Number(request.headers["content-length"] ?? 0);
    if (size > ingestBytesMax) throw tooLarge(ingestBytesMax);
    return { bytes: limited(sent, ingestBytesMax), sourceName: "stream" };
  }
  const uri = uriOf(await wholeText(limited(sent, SOURCE_BODY_BYTES_MAX)));
  const { bytes, shown } = await fetchSource(context, uri, signal);
  return { bytes, sourceName: shown };
}

function asBytes(body: unknown): AsyncIterable<Uint8Array> {
  // Left to us by the content type parser: the request's own stream, or nothing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (body ?? []) as AsyncIterable<Uint8Array>;
}

/** The same bytes; fails once there are more. */
async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    yield piece;
  }
}

function tooLarge(bytesMax: number): Problem {
  const said = `The body has more than ${bytesMax} bytes, the most for streaming ingestion.`;
  return new Problem(413, "RequestBodyTooLarge", said);
}

async function wholeText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}

function uriOf(text: string): string {
  try {
    const body = Value.Parse(SourceBody, JSON.parse(text));
    const uri = body.sourceUri ?? body.SourceUri;
    if (uri !== undefined) return uri;
  } catch {
    // Told below: whatever it is, it names no source.
  }
  const said = 'With sourceKind=uri the body is JSON: {"sourceUri": "https://…"}.';
  throw new Problem(400, "General_BadRequest", said);
}

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip, gzip } from "node:zlib";
import { promisify } from "node:util";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Bytes below which an answer is sent in one piece, with its length. */
const WHOLE_BYTES_MAX = 65_536;
/** Bytes below which compressing costs more than it saves. */
const GZIP_BYTES_MIN = 1400;
/** Bytes that are handed to the socket at a time. */
const PIECE_BYTES = 65_536;

const compress = promisify(gzip);

/** Sends text as it is made, compressed if the client asks for that. */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  texts: AsyncGenerator<string>,
) {
  const wantsGzip = acceptsGzip(request.headers["accept-encoding"]);
  reply.type("application/json; charset=utf-8").header("vary", "accept-encoding");
  const pieces = inPieces(texts);
  const first = await pieces.next();
  const start = first.done === true ? Buffer.alloc(0) : first.value;
  if (start.length < WHOLE_BYTES_MAX) {
    const second = await pieces.next();
    if (second.done === true) return sendWhole(reply, start, wantsGzip);
    return stream(reply, before([start, second.value], pieces), wantsGzip);
  }
  return stream(reply, before([start], pieces), wantsGzip);
}

async function sendWhole(reply: FastifyReply, body: Buffer, wantsGzip: boolean) {
  if (!wantsGzip || body.length < GZIP_BYTES_MIN) return reply.send(body);
  return reply.header("content-encoding", "gzip").send(await compress(body));
}

function stream(reply: FastifyReply, pieces: AsyncGenerator<Buffer>, wantsGzip: boolean) {
  const source = Readable.from(pieces, { objectMode: false });
  if (!wantsGzip) return reply.send(source);
  const zipped = createGzip({ level: constants.Z_BEST_SPEED });
  // Whichever side ends first takes the other one along; the reply reports the error.
  pipeline(source, zipped).catch(() => undefined);
  return reply.header("content-encoding", "gzip").send(zipped);
}

async function* before(first: readonly Buffer[], rest: AsyncGenerator<Buffer>) {
  yield* first;
  yield* rest;
}

/** Many small texts become few large pieces. */
async function* inPieces(texts: AsyncGenerator<string>): AsyncGenerator<Buffer, void> {
  let waiting: string[] = [];
  let size = 0;
  for await (const text of texts) {
    waiting.push(text);
    size += text.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.from(waiting.join(""));
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.from(waiting.join(""));
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text.split(",").some((one) => {
    const [name = "", ...parameters] = one.trim().toLowerCase().split(/ *; */);
    return (name === "gzip" || name === "*") && !parameters.includes("q=0");
  });
}

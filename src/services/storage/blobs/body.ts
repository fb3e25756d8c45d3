import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import {
  BlockLengthError,
  type BlockSource,
  type BlockStore,
} from "#engines/blocks/block-store.ts";
import { Problem } from "#platform/problem.ts";
import { writeContent, type Content, type ContentOptions } from "../encryption/content.ts";

/** Bodies up to here are taken in one piece, which is cheaper than streaming them. */
const COLLECTED_MAX = 256 * 1024;

/** Stores a request's body. One that is shorter or longer than announced is a 400. */
export async function storeBody(
  blocks: BlockStore,
  body: unknown,
  options: ContentOptions,
): Promise<Content> {
  try {
    // What a socket has received nobody else looks at.
    const isOwner = body instanceof IncomingMessage;
    const source = await sourceOf(body, options.length);
    return await writeContent(blocks, source, { ...options, isOwner });
  } catch (error) {
    const isCut = error instanceof Error && "code" in error && error.code === "ECONNRESET";
    if (!isCut && !(error instanceof BlockLengthError)) throw error;
    const said = `The body does not have the ${options.length} bytes that Content-Length says.`;
    throw new Problem(400, "InvalidOperation", said);
  }
}

/** All bytes of a stream that is known to be short. */
export async function collectBytes(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

async function sourceOf(body: unknown, length: number): Promise<BlockSource> {
  if (!(body instanceof Readable)) return new Uint8Array(0);
  return length > COLLECTED_MAX ? body : collected(body);
}

function collected(stream: Readable): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Uint8Array[] = [];
  // The client may have gone before anybody listened; no event tells of that again.
  const cutOff = () => reject(new BlockLengthError("The client has closed its connection."));
  if (stream.destroyed) cutOff();
  stream.once("close", cutOff);
  stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  stream.once("error", reject);
  stream.once("end", () => {
    // Each stream closes in the end, and to make an error costs more than to take the body.
    stream.off("close", cutOff);
    const [only] = chunks;
    resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
  return promise;
}

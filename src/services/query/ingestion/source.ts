import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, gunzipSync } from "node:zlib";
import { IngestionError } from "./ingestion-error.ts";

/** Bodies up to this size are read into memory. */
const SMALL_BYTES_MAX = 1024 * 1024;

/** Bytes in memory, or the rest of a stream behind those that have been read. */
export type Source =
  | { readonly kind: "small"; readonly bytes: Uint8Array }
  | { readonly kind: "large"; readonly stream: AsyncIterable<Uint8Array> };

/** Reads until it is known whether the whole is small. */
export async function openSource(body: AsyncIterable<Uint8Array>): Promise<Source> {
  const iterator = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= SMALL_BYTES_MAX) {
    const next = await iterator.next();
    if (next.done === true) return { kind: "small", bytes: Buffer.concat(chunks, size) };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { kind: "large", stream: continued(chunks, iterator) };
}

async function* continued(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Whether bytes are gzip; clients do not always say so, or say so of what is not. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Unpacks gzip, if it is that. */
export function unpack(bytes: Uint8Array, bytesMax: number): Uint8Array {
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    throw unpackError(error, bytesMax);
  }
}

/** A file of the landing folder, gone when it is disposed of. */
export interface LandedFile extends AsyncDisposable {
  readonly path: string;
  /** Bytes, unpacked. */
  readonly size: number;
}

export interface Landing {
  readonly dir: string;
  readonly newId: () => string;
  /** Of the unpacked bytes. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Writes a stream to a file, unpacked when it is gzip. */
export async function land(
  stream: AsyncIterable<Uint8Array>,
  { dir, newId, bytesMax, signal }: Landing,
): Promise<LandedFile> {
  const path = join(dir, newId());
  let size = 0;
  const counter = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      done(size > bytesMax ? tooLarge(bytesMax) : null, chunk);
    },
  });
  const output = createWriteStream(path, { flags: "wx" });
  try {
    const [first, all] = await peek(stream);
    const input = Readable.from(all, { objectMode: false });
    await (isGzip(first)
      ? pipeline(input, createGunzip(), counter, output, { signal })
      : pipeline(input, counter, output, { signal }));
  } catch (error) {
    output.destroy();
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw unpackError(error, bytesMax);
  }
  return { path, size, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

async function peek(
  stream: AsyncIterable<Uint8Array>,
): Promise<readonly [Uint8Array, AsyncIterable<Uint8Array>]> {
  const iterator = stream[Symbol.asyncIterator]();
  const next = await iterator.next();
  if (next.done === true) return [new Uint8Array(), continued([], iterator)];
  return [next.value, continued([next.value], iterator)];
}

function unpackError(error: unknown, bytesMax: number): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ERR_BUFFER_TOO_LARGE") return tooLarge(bytesMax);
  const isZlib = typeof error.code === "string" && error.code.startsWith("Z_");
  return isZlib ? new IngestionError("malformed", `This is not gzip: ${error.message}.`) : error;
}

function tooLarge(bytesMax: number): IngestionError {
  return new IngestionError("too-large", `The data has more than ${bytesMax} bytes unpacked.`);
}

import { gunzipSync } from "node:zlib";
import { KqlError } from "#engines/kql/kql-error.ts";
import type { Context } from "../context.ts";
import { fetchSource } from "../management/fetch-source.ts";

/** Bytes of one source of `externaldata`, packed and unpacked; they are in memory at once. */
const BYTES_MAX = 100_000_000;
const TIMEOUT_MS = 300_000;
const GZIP = [0x1f, 0x8b];

/** Reads texts for `externaldata`, under the same rules as sources of ingestion. */
export function createExternalText(context: Pick<Context, "outbound">) {
  return async (url: string): Promise<string> => {
    const { bytes, shown } = await fetchSource(context, url, AbortSignal.timeout(TIMEOUT_MS));
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > BYTES_MAX) throw tooLarge(shown);
      chunks.push(chunk);
    }
    return unpacked(Buffer.concat(chunks), shown).toString("utf8");
  };
}

function unpacked(bytes: Buffer, shown: string): Buffer {
  if (!GZIP.every((byte, index) => bytes[index] === byte)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: BYTES_MAX });
  } catch {
    throw new KqlError("runtime", `${shown} is no gzip of at most ${BYTES_MAX} bytes.`);
  }
}

function tooLarge(shown: string): KqlError {
  return new KqlError("limit", `${shown} has more than ${BYTES_MAX} bytes.`);
}

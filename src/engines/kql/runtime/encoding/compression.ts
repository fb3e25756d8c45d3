import { constants, crc32, deflateRawSync, gunzipSync, inflateSync } from "node:zlib";
import { KqlError } from "../../kql-error.ts";

/** Most bytes that a compressed text may become. */
const DECOMPRESSED_MAX_BYTES = 64 * 1024 * 1024;
/** Longest run of bytes in one stored block (RFC 1951, section 3.2.4). */
const STORED_MAX_BYTES = 0xffff;
const ADLER_MODULUS = 65_521;
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const ZLIB_HEADER = [0x78, 0x01];

/** RFC 1952, without a time and for no particular system. */
export function gzip(bytes: Buffer): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([Buffer.from(GZIP_HEADER), deflate(bytes), tail]);
}

/** RFC 1950. */
export function zlib(bytes: Buffer): Buffer {
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(adler32(bytes));
  return Buffer.concat([Buffer.from(ZLIB_HEADER), deflate(bytes), tail]);
}

export function gunzip(bytes: Buffer): Buffer | null {
  return decompressed(() => gunzipSync(bytes, { maxOutputLength: DECOMPRESSED_MAX_BYTES }));
}

export function unzlib(bytes: Buffer): Buffer | null {
  return decompressed(() => inflateSync(bytes, { maxOutputLength: DECOMPRESSED_MAX_BYTES }));
}

/** What compression does not make smaller is stored as it is. */
function deflate(bytes: Buffer): Buffer {
  const smaller = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED });
  return smaller.length < bytes.length || bytes.length > STORED_MAX_BYTES ? smaller : stored(bytes);
}

function stored(bytes: Buffer): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0]);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(STORED_MAX_BYTES - bytes.length, 3);
  return Buffer.concat([head, bytes]);
}

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % ADLER_MODULUS;
    high = (high + low) % ADLER_MODULUS;
  }
  return high * 0x1_0000 + low;
}

/** Null for bytes that are not compressed in this way. */
function decompressed(decompress: () => Buffer): Buffer | null {
  try {
    return decompress();
  } catch (error) {
    if (error instanceof RangeError) {
      const sentence = `A text decompresses to more than ${DECOMPRESSED_MAX_BYTES} bytes.`;
      throw new KqlError("limit", sentence);
    }
    return null;
  }
}

import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { headerValue, invalidHeader } from "./header-values.ts";

const MD5_BYTES = 16;
const CRC64_BYTES = 8;

/** Checksums that a client sends to have its bytes checked. At most one of them is there. */
export interface SentChecksums {
  readonly md5: Buffer | undefined;
  readonly crc64: Buffer | undefined;
}

/** What the bytes really had. */
export interface Checksums {
  readonly md5: Uint8Array | undefined;
  readonly crc64: Uint8Array;
}

/** Reads a pair of checksum headers; both at once is a 400. */
export function sentChecksums(
  headers: IncomingHttpHeaders,
  md5Header: string,
  crc64Header: string,
): SentChecksums {
  const md5 = headerValue(headers, md5Header);
  const crc64 = headerValue(headers, crc64Header);
  if (md5 !== undefined && crc64 !== undefined) {
    const said = `${md5Header} and ${crc64Header} were both sent; a request carries one of them.`;
    throw new Problem(400, "BothCrc64AndMd5HeaderPresent", said);
  }
  return { md5: parseMd5(md5Header, md5), crc64: parseCrc64(crc64Header, crc64) };
}

export function parseMd5(name: string, value: string | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  const bytes = fromBase64(value, MD5_BYTES);
  if (bytes !== undefined) return bytes;
  const said = `${name} is "${value}", which is not the base64 of ${MD5_BYTES} bytes.`;
  throw new Problem(400, "InvalidMd5", said);
}

function parseCrc64(name: string, value: string | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  const bytes = fromBase64(value, CRC64_BYTES);
  if (bytes !== undefined) return bytes;
  throw invalidHeader(name, value, `which is not the base64 of ${CRC64_BYTES} bytes`);
}

function fromBase64(text: string, byteCount: number): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === byteCount && bytes.toString("base64") === text ? bytes : undefined;
}

/** Refuses with 400 bytes that are not those that the client has hashed. */
export function requireChecksums(sent: SentChecksums, found: Checksums): void {
  const foundMd5 = found.md5 === undefined ? "" : base64(found.md5);
  if (sent.md5 !== undefined && base64(sent.md5) !== foundMd5) {
    throw new Problem(400, "Md5Mismatch", "The MD5 sent is not that of the content.", {
      fields: { UserSpecifiedMd5: base64(sent.md5), ServerCalculatedMd5: foundMd5 },
    });
  }
  if (sent.crc64 !== undefined && base64(sent.crc64) !== base64(found.crc64)) {
    throw new Problem(400, "Crc64Mismatch", "The CRC64 sent is not that of the content.", {
      fields: {
        UserSpecifiedCrc64: base64(sent.crc64),
        ServerCalculatedCrc64: base64(found.crc64),
      },
    });
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

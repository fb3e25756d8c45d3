import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import avro from "avsc";
import type { Json } from "#engines/kql/types.ts";
import { avroJson, avroType } from "./avro-types.ts";
import { IngestionError } from "./ingestion-error.ts";
import type { JsonRecord } from "./row-reader.ts";

/** A block unpacks to so much at most. */
const BLOCK_BYTES_MAX = 256 * 1024 * 1024;
/** Records may have no bytes at all, so that a small block could claim any number. */
const BLOCK_RECORDS_MAX = 10_000_000;
const MAGIC = Buffer.from("Obj\u0001", "latin1");
const SYNC_LENGTH = 16;
const METADATA = avro.Type.forSchema({ type: "map", values: "bytes" });
const LONG = avro.Type.forSchema("long");

interface Header {
  readonly type: avro.Type;
  readonly codec: string;
  readonly sync: Buffer;
}

interface Read<T> {
  readonly value: T;
  /** Behind it. */
  readonly end: number;
}

/** The records of an Avro object container, block by block. */
export async function* avroRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRecord> {
  let header: Header | undefined;
  let row = 0;
  const bytes = createBuffer();
  for await (const part of source) {
    let rest = bytes.add(part);
    if (rest === undefined) continue;
    header ??= bytes.take(readHeader(rest));
    if (header === undefined) continue;
    for (rest = bytes.rest(); rest !== undefined; rest = bytes.rest()) {
      const values = bytes.take(readBlock(rest, header, row));
      if (values === undefined) break;
      for (const value of values) yield { row: (row += 1), value };
    }
  }
  if (bytes.size() > 0) throw malformed(row, "the data ends too early");
}

/** Bytes that have come and were not taken yet. Looks again only when twice as much is there. */
function createBuffer() {
  let parts: Uint8Array[] = [];
  let size = 0;
  let wanted = 1;
  let whole = Buffer.alloc(0);
  return {
    size: () => size,
    add(part: Uint8Array): Buffer | undefined {
      parts.push(part);
      size += part.length;
      if (size < wanted) return undefined;
      whole = Buffer.concat(parts, size);
      parts = [whole];
      return whole;
    },
    rest: () => (size === 0 ? undefined : whole),
    /** Takes what has been read; undefined when it was not complete. */
    take<T>(read: Read<T> | undefined): T | undefined {
      if (read === undefined) {
        wanted = size * 2;
        return undefined;
      }
      whole = whole.subarray(read.end);
      parts = [whole];
      size = whole.length;
      wanted = 1;
      return read.value;
    },
  };
}

/** Undefined when more is needed. */
function readHeader(bytes: Buffer): Read<Header> | undefined {
  const length = Math.min(MAGIC.length, bytes.length);
  if (!bytes.subarray(0, length).equals(MAGIC.subarray(0, length))) {
    throw malformed(0, "it does not begin as a container does");
  }
  const metadata = decode(METADATA, bytes, MAGIC.length);
  if (metadata === undefined || metadata.end + SYNC_LENGTH > bytes.length) return undefined;
  // The type is of a map of bytes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const values = metadata.value as Readonly<Record<string, Buffer>>;
  const codec = values["avro.codec"]?.toString() ?? "null";
  if (codec !== "null" && codec !== "deflate") throw malformed(0, `codec '${codec}' is unknown`);
  const end = metadata.end + SYNC_LENGTH;
  const type = typeOf(values["avro.schema"]?.toString() ?? "");
  return { value: { type, codec, sync: bytes.subarray(metadata.end, end) }, end };
}

function typeOf(schema: string): avro.Type {
  try {
    // The library checks it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return avroType(JSON.parse(schema) as avro.Schema);
  } catch (error) {
    throw malformed(0, `its schema cannot be read: ${String(error)}`);
  }
}

/** The values of the next block; undefined when more is needed. */
function readBlock(bytes: Buffer, header: Header, row: number): Read<readonly Json[]> | undefined {
  const count = decode(LONG, bytes, 0);
  const length = count === undefined ? undefined : decode(LONG, bytes, count.end);
  if (count === undefined || length === undefined) return undefined;
  const dataEnd = length.end + Number(length.value);
  const end = dataEnd + SYNC_LENGTH;
  if (Number(length.value) < 0) throw malformed(row, "a block has a negative length");
  if (end > bytes.length) return undefined;
  if (!bytes.subarray(dataEnd, end).equals(header.sync)) {
    throw malformed(row, "a block does not end where it should");
  }
  const data = unpacked(bytes.subarray(length.end, dataEnd), header.codec, row);
  return { value: valuesOf(data, Number(count.value), { type: header.type, row }), end };
}

function unpacked(data: Buffer, codec: string, row: number): Buffer {
  if (codec === "null") return data;
  try {
    return inflateRawSync(data, { maxOutputLength: BLOCK_BYTES_MAX });
  } catch (error) {
    throw malformed(row, `a block cannot be unpacked: ${String(error)}`);
  }
}

function valuesOf(
  data: Buffer,
  count: number,
  { type, row }: { readonly type: avro.Type; readonly row: number },
): readonly Json[] {
  if (count > BLOCK_RECORDS_MAX) throw malformed(row, `a block has ${count} records`);
  const values: Json[] = [];
  let at = 0;
  while (values.length < count) {
    const read = decodeRecord(type, data, { at, row: row + values.length });
    values.push(avroJson(read.value));
    at = read.end;
  }
  return values;
}

function decodeRecord(
  type: avro.Type,
  data: Buffer,
  { at, row }: { readonly at: number; readonly row: number },
): Read<unknown> {
  let reason = "a block has fewer records than it says";
  try {
    const read = decode(type, data, at);
    if (read !== undefined && read.end <= data.length) return read;
  } catch (error) {
    reason = String(error);
  }
  throw malformed(row, reason);
}

/** Undefined when the bytes end too early. */
function decode(type: avro.Type, bytes: Buffer, at: number): Read<unknown> | undefined {
  const { value, offset }: { value: unknown; offset: number } = type.decode(bytes, at);
  return offset < 0 ? undefined : { value, end: offset };
}

function malformed(row: number, reason: string): IngestionError {
  return new IngestionError("malformed", `Row ${row + 1}: this is not Avro: ${reason}.`);
}

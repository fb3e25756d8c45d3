import { Buffer } from "node:buffer";
import avro from "avsc";
import { decimalText, unscaledDecimal } from "#engines/duckdb/decimal-text.ts";
import { formatDatetimeTicks } from "#engines/kql/runtime/time/format-time.ts";
import type { Json } from "#engines/kql/types.ts";

const EPOCH_TICKS = 621_355_968_000_000_000n;
const DAY_TICKS = 864_000_000_000n;

/** Integers of 64 bits keep all their digits. */
// The name is the library's.
// oxlint-disable-next-line no-underscore-dangle
const LONG = avro.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer(value: bigint) {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === "bigint",
  compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
});

/** Times come out in the language's own spelling, so that they fit any column. */
function timeType(ticksPerUnit: bigint) {
  return class extends avro.types.LogicalType {
    protected override _fromValue(value: bigint | number): string {
      return formatDatetimeTicks(BigInt(value) * ticksPerUnit + EPOCH_TICKS);
    }
  };
}

/** The bytes are an integer, the schema says where its point is. */
class DecimalType extends avro.types.LogicalType {
  readonly #scale: number;

  constructor(schema: avro.Schema, options?: unknown) {
    super(schema, options);
    this.#scale = scaleOf(schema);
  }

  protected override _fromValue(value: Uint8Array): string {
    const digits = BigInt.asIntN(
      value.length * 8,
      BigInt(`0x0${Buffer.from(value).toString("hex")}`),
    );
    const unscaled = unscaledDecimal(`${digits}e${-this.#scale}`);
    return unscaled === undefined ? "" : decimalText(unscaled);
  }
}

function scaleOf(schema: unknown): number {
  if (typeof schema !== "object" || schema === null || !("scale" in schema)) return 0;
  return typeof schema.scale === "number" ? schema.scale : 0;
}

/** Reads a schema; throws when it is none. */
export function avroType(schema: avro.Schema): avro.Type {
  return avro.Type.forSchema(schema, {
    registry: { long: LONG },
    logicalTypes: {
      date: timeType(DAY_TICKS),
      "timestamp-millis": timeType(10_000n),
      "timestamp-micros": timeType(10n),
      "local-timestamp-millis": timeType(10_000n),
      "local-timestamp-micros": timeType(10n),
      decimal: DecimalType,
    },
  });
}

/** Records, maps, arrays and unions as JSON; bytes as the text that they are in base64. */
export function avroJson(value: unknown): Json {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(avroJson);
  if (typeof value !== "object" || value === null) return primitive(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, avroJson(part)]));
}

function primitive(value: unknown): Json {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") {
    return value;
  }
  return null;
}

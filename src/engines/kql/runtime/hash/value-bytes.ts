const GUID_BYTES = 16;
/** Where each byte of a GUID's text comes to lie: its first three groups are little-endian. */
const GUID_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** Long, int, datetime and timespan: eight bytes, least significant first. */
export function integerBytes(value: bigint | number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigInt64(0, BigInt(value), true);
  return new Uint8Array(bytes.buffer);
}

/** Real: the eight bytes of IEEE 754, least significant first. */
export function realBytes(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value, true);
  return new Uint8Array(bytes.buffer);
}

export function boolBytes(value: boolean): Uint8Array {
  return Uint8Array.of(value ? 1 : 0);
}

export function textBytes(value: string): Uint8Array {
  return Buffer.from(value, "utf8");
}

/** The sixteen bytes of a GUID in the order in which Windows keeps them. */
export function guidBytes(guid: string): Uint8Array {
  const written = Buffer.from(guid.replaceAll("-", ""), "hex");
  return Uint8Array.from(GUID_ORDER, (at) => written[at] ?? 0).subarray(0, GUID_BYTES);
}

/** The text of a GUID, lower case, from its sixteen bytes. */
export function guidText(bytes: Uint8Array): string {
  const digits = Buffer.from(GUID_ORDER.map((at) => bytes[at] ?? 0)).toString("hex");
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([start, end]) => digits.slice(start, end))
    .join("-");
}

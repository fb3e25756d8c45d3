import { createCrc64, type Crc64 } from "#engines/blocks/crc64.ts";

/** A stretch of bytes, with its checksum where that is known. */
export interface Stretch {
  readonly length: number;
  /** Undefined for a part of a record: what is known is the checksum of the whole. */
  readonly crc64: Uint8Array | undefined;
  /** Called once the bytes were found to be right. */
  readonly foundRight?: () => void;
}

/** What lies on the disk is not what was stored. */
class DamagedBytesError extends Error {
  override readonly name = "DamagedBytesError";
  override readonly message =
    "The stored bytes do not have the checksum that they were stored with; " +
    "atoll doctor storage --verify lists all that are damaged.";
}

/**
 * The bytes of the stretches, compared with their checksums on the way. A chunk is given out once
 * all stretches that end in it are right, so a reader never gets the end of a wrong one.
 */
export async function* checkedBytes(
  bytes: AsyncIterable<Uint8Array>,
  stretches: readonly Stretch[],
): AsyncGenerator<Uint8Array> {
  const check = createCheck(stretches);
  for await (const chunk of bytes) {
    check(chunk);
    yield chunk;
  }
}

function createCheck(stretches: readonly Stretch[]): (chunk: Uint8Array) => void {
  const rest = stretches.filter(({ length }) => length > 0).values();
  let current: Stretch | undefined;
  let crc: Crc64 = createCrc64();
  let left = 0;

  function take(bytes: Uint8Array): number {
    if (left === 0) {
      current = rest.next().value;
      crc = createCrc64();
      left = current?.length ?? bytes.length;
    }
    const part = bytes.subarray(0, left);
    left -= part.length;
    if (current?.crc64 === undefined) return part.length;
    crc.update(part);
    if (left === 0 && Buffer.compare(crc.digest(), current.crc64) !== 0) {
      throw new DamagedBytesError();
    }
    if (left === 0) current.foundRight?.();
    return part.length;
  }

  return function check(chunk) {
    for (let at = 0; at < chunk.length;) at += take(chunk.subarray(at));
  };
}

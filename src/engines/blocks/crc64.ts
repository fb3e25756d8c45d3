import { createCRC64 } from "hash-wasm";

/** CRC-64/NVME in the reflected form, as hash-wasm and the arithmetic below take it. */
const POLYNOMIAL = { high: 0x9a6c9329, low: 0xac4bc9b5 };

/** One machine serves all streams: its tables are shared, each stream keeps its own register. */
const machine = await createCRC64(`${hex(POLYNOMIAL.high)}${hex(POLYNOMIAL.low)}`);
const untouched = machine.init().save();

export interface Crc64 {
  readonly update: (bytes: Uint8Array) => void;
  /** Eight bytes, little-endian, of all bytes so far. */
  readonly digest: () => Uint8Array;
}

/** A CRC-64/NVME over bytes that come in pieces. Any number may be under way at once. */
export function createCrc64(): Crc64 {
  let register = untouched;
  return {
    update(bytes) {
      register = machine.load(register).update(bytes).save();
    },
    digest: () => machine.load(register).digest("binary").toReversed(),
  };
}

/** Eight bytes, little-endian. */
export function crc64(bytes: Uint8Array): Uint8Array {
  const crc = createCrc64();
  crc.update(bytes);
  return crc.digest();
}

/**
 * The CRC-64 of `a` followed by `b`, from theirs alone.
 *
 * Putting `n` bytes behind `a` multiplies its CRC by x^(8n) modulo the polynomial; initial value
 * and final inversion cancel out. One multiplication per bit that is set in the length.
 */
export function combineCrc64(a: Uint8Array, b: Uint8Array, lengthOfB: number): Uint8Array {
  let shifted = decode(a);
  let rest = lengthOfB;
  for (const shift of BYTE_SHIFTS) {
    if (rest % 2 === 1) shifted = multiply(shifted, shift);
    rest = Math.floor(rest / 2);
    if (rest === 0) break;
  }
  const behind = decode(b);
  return encode({ high: shifted.high ^ behind.high, low: shifted.low ^ behind.low });
}

/** 64 coefficients, the one of x^0 in the highest bit. */
interface Polynomial {
  readonly high: number;
  readonly low: number;
}

/** Lengths are whole numbers up to 2^53 - 1. */
const LENGTH_BITS = 53;

/** x^(8 * 2^k) modulo the polynomial, for each bit k of a length. */
const BYTE_SHIFTS = byteShifts();

function byteShifts(): readonly Polynomial[] {
  const byX8 = { high: 1 << 23, low: 0 };
  const shifts = [byX8];
  for (let last = byX8; shifts.length < LENGTH_BITS; shifts.push(last)) {
    last = multiply(last, last);
  }
  return shifts;
}

function multiply(a: Polynomial, b: Polynomial): Polynomial {
  let high = 0;
  let low = 0;
  let { high: factorHigh, low: factorLow } = b;
  for (let power = 0; power < 64; power += 1) {
    // Masks of all ones or all zeros instead of branches, which random bits would mispredict.
    const taken = -(((power < 32 ? a.high : a.low) >>> (31 - (power % 32))) & 1);
    high ^= factorHigh & taken;
    low ^= factorLow & taken;
    const overflow = -(factorLow & 1);
    factorLow = ((factorLow >>> 1) | (factorHigh << 31)) ^ (POLYNOMIAL.low & overflow);
    factorHigh = (factorHigh >>> 1) ^ (POLYNOMIAL.high & overflow);
  }
  return { high, low };
}

function decode(crc: Uint8Array): Polynomial {
  const view = new DataView(crc.buffer, crc.byteOffset, crc.byteLength);
  return { high: view.getInt32(4, true), low: view.getInt32(0, true) };
}

function encode({ high, low }: Polynomial): Uint8Array {
  const crc = new Uint8Array(8);
  const view = new DataView(crc.buffer);
  view.setInt32(4, high, true);
  view.setInt32(0, low, true);
  return crc;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}

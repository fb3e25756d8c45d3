import { PartialResultError } from "./errors.ts";
import type { RequestOptions } from "./options.ts";

export interface ResultLimits {
  readonly recordsMax: number;
  readonly bytesMax: number;
}

/** The limits of one answer: the server's own, unless the request names others. */
export function limitsOf(options: RequestOptions, server: ResultLimits): ResultLimits {
  const { truncationMaxRecords, truncationMaxBytes, hasNoTruncation } = options;
  const named = truncationMaxRecords !== undefined || truncationMaxBytes !== undefined;
  if (hasNoTruncation && !named) return { recordsMax: Infinity, bytesMax: Infinity };
  return {
    recordsMax: truncationMaxRecords ?? server.recordsMax,
    bytesMax: truncationMaxBytes ?? server.bytesMax,
  };
}

/** Counts the rows of an answer over all of its tables. */
export interface Meter {
  /**
   * The same chunks as far as they fit. Throws a `PartialResultError` after the last row that
   * does.
   */
  readonly pass: (rows: AsyncIterable<readonly string[]>) => AsyncIterable<readonly string[]>;
  readonly records: () => number;
  readonly bytes: () => number;
}

export function createMeter({ recordsMax, bytesMax }: ResultLimits): Meter {
  let records = 0;
  let bytes = 0;

  /** How many rows of the chunk fit. */
  function count(chunk: readonly string[]): number {
    for (const [index, row] of chunk.entries()) {
      const size = Buffer.byteLength(row);
      if (records >= recordsMax || bytes + size > bytesMax) return index;
      records += 1;
      bytes += size;
    }
    return chunk.length;
  }

  return {
    async *pass(rows) {
      for await (const chunk of rows) {
        const fitting = count(chunk);
        if (fitting === chunk.length) {
          yield chunk;
          continue;
        }
        if (fitting > 0) yield chunk.slice(0, fitting);
        throw tooLarge(records >= recordsMax, { recordsMax, bytesMax });
      }
    },
    records: () => records,
    bytes: () => bytes,
  };
}

function tooLarge(byRecords: boolean, { recordsMax, bytesMax }: ResultLimits): PartialResultError {
  const limit = byRecords
    ? `record count limit ${recordsMax}`
    : `data size limit ${bytesMax} (in bytes)`;
  return new PartialResultError(
    `Query result set has exceeded the internal ${limit} ` +
      "(E_QUERY_RESULT_SET_TOO_LARGE; 0x80DA0003).",
  );
}

/** At most so many rows of a table, and no word about the others. */
export async function* firstRows(
  rows: AsyncIterable<readonly string[]>,
  recordsMax: number,
): AsyncIterable<readonly string[]> {
  let left = recordsMax;
  if (left === 0) return;
  for await (const chunk of rows) {
    yield chunk.slice(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

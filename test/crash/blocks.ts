import { Buffer } from "node:buffer";

/** Content that says where it belongs, so that a blob can be taken apart after a crash. */
export const RECORD_BYTES = 4096;
/** A run of records of the source blob is appended as one block: all of it or nothing. */
const RECORDS_PER_RUN = 3;
export const RUN_BYTES = RECORDS_PER_RUN * RECORD_BYTES;
export const SOURCE_RUNS = 1024;
const LABEL_BYTES = 64;

/** What one append adds: a record written for it, or a run of the source blob. */
export interface Block {
  readonly kind: "record" | "run";
  /** Of a record, unique in its blob since the last crash; of a run, its place in the source. */
  readonly number: number;
}

export function keyOf({ kind, number }: Block): string {
  return `${kind} ${number}`;
}

export function bytesIn({ kind }: Block): number {
  return kind === "run" ? RUN_BYTES : RECORD_BYTES;
}

/** The block's content in a blob of this name. */
export function contentOf(blob: string, { kind, number }: Block): Buffer {
  if (kind === "record") return record(`record ${number} of ${blob}`, number);
  const parts = Array.from({ length: RECORDS_PER_RUN }, (_, part) =>
    record(`run ${number} part ${part}`, number * RECORDS_PER_RUN + part),
  );
  return Buffer.concat(parts);
}

/** The blob that runs are taken from. */
export function sourceContent(): Buffer {
  return Buffer.concat(
    Array.from({ length: SOURCE_RUNS }, (_, number) => contentOf("", { kind: "run", number })),
  );
}

/** What begins here, going by its label; undefined when nothing of ours does. */
export function blockAt(content: Buffer, offset: number): Block | undefined {
  const label = content.toString("latin1", offset, offset + LABEL_BYTES);
  const [, kind, number] = /^(record|run) (\d+) (?:of|part 0)/.exec(label) ?? [];
  if (kind !== "record" && kind !== "run") return undefined;
  return { kind, number: Number(number) };
}

function record(label: string, seed: number): Buffer {
  const content = Buffer.alloc(RECORD_BYTES);
  // A linear congruential sequence: cheap, and different from record to record.
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  for (let at = 0; at < RECORD_BYTES; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content.writeUInt32LE(state, at);
  }
  content.write(label.padEnd(LABEL_BYTES), 0, "latin1");
  return content;
}

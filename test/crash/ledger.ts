import { blockAt, bytesIn, contentOf, keyOf, type Block } from "./blocks.ts";
import type { Place, ReadAnswer, StoreClient } from "./store-client.ts";

const READ_BYTES = 16 * 1024 * 1024;
const GONE = { length: 0, count: 0, etag: "" };

export interface Violation {
  readonly kind: "lost" | "half" | "wrong";
  readonly text: string;
}

/** One append that was sent since the last crash; without a place it was never acknowledged. */
export interface Attempt {
  readonly block: Block;
  place?: Place;
}

/** What a blob must contain: blocks proven after earlier crashes, and attempts since. */
export interface Ledger {
  readonly blob: string;
  readonly proven: Block[];
  provenBytes: number;
  attempts: Attempt[];
}

export function openLedger(blob: string): Ledger {
  return { blob, proven: [], provenBytes: 0, attempts: [] };
}

/**
 * Takes apart what was added since the last check: every acknowledged block has to be at its
 * place, every other one whole or absent. What is found counts as proven from then on.
 */
export async function checkTail(ledger: Ledger, client: StoreClient): Promise<Violation[]> {
  const { blob, provenBytes: start } = ledger;
  const { head, content, violations } = await readAgreeing(ledger, client, start);
  if (head.length < start) {
    return [{ kind: "lost", text: `${blob} has ${head.length} bytes, but had ${start}.` }];
  }
  const found = takeApart(ledger, content, violations);
  violations.push(...missing(ledger, found));
  ledger.proven.push(...found.keys());
  ledger.provenBytes = head.length;
  ledger.attempts = [];
  if (head.count !== ledger.proven.length) {
    const text = `${blob} counts ${head.count} blocks and holds ${ledger.proven.length}.`;
    violations.push({ kind: "wrong", text });
  }
  return violations;
}

/** Reads all that was ever proven once more: no later crash may have harmed it. */
export async function checkAll(ledger: Ledger, client: StoreClient): Promise<Violation[]> {
  const { content, violations } = await readAgreeing(ledger, client, 0);
  let offset = 0;
  for (const block of ledger.proven) {
    const end = offset + bytesIn(block);
    if (!content.subarray(offset, end).equals(contentOf(ledger.blob, block))) {
      const text = `${keyOf(block)} is no longer at ${offset} of ${ledger.blob}.`;
      violations.push({ kind: "lost", text });
    }
    offset = end;
  }
  return violations;
}

/** From `start` to the end; HEAD and every GET have to agree on length and ETag. */
async function readAgreeing({ blob }: Ledger, client: StoreClient, start: number) {
  // A blob that is gone has lost what it held, which the comparison then finds.
  const head = (await client.properties(blob)) ?? GONE;
  const { length, etag } = head;
  const violations: Violation[] = [];
  const pieces: Buffer[] = [];
  for (let at = start; at < length; at += READ_BYTES) {
    const end = Math.min(at + READ_BYTES, length);
    const piece = await client.read(blob, at, end);
    pieces.push(piece.content);
    if (!agrees(piece, { length, etag, bytes: end - at })) {
      const text =
        `GET of ${blob} from ${at} to ${end} has ${piece.content.length} bytes of ` +
        `${piece.length}, ${piece.etag}; HEAD says ${length}, ${etag}.`;
      violations.push({ kind: "wrong", text });
    }
  }
  return { head, content: Buffer.concat(pieces), violations };
}

function agrees(piece: ReadAnswer, head: { length: number; etag: string; bytes: number }): boolean {
  const isSame = piece.length === head.length && piece.etag === head.etag;
  return isSame && head.etag !== "" && piece.content.length === head.bytes;
}

/** The blocks in their order, with the place where each was found. */
function takeApart(ledger: Ledger, tail: Buffer, violations: Violation[]): Map<Block, Place> {
  const { blob, provenBytes, proven } = ledger;
  const sent = new Map(ledger.attempts.map(({ block }) => [keyOf(block), block]));
  const found = new Map<Block, Place>();
  let at = 0;
  while (at < tail.length) {
    const label = blockAt(tail, at);
    const block = label === undefined ? undefined : sent.get(keyOf(label));
    const offset = provenBytes + at;
    const isWhole =
      block !== undefined && tail.subarray(at, at + bytesIn(block)).equals(contentOf(blob, block));
    if (!isWhole || found.has(block)) {
      const name = label === undefined ? "something unknown" : keyOf(label);
      const fault = isWhole ? "there twice" : "not whole, or was never sent";
      violations.push({ kind: "half", text: `${name} at ${offset} of ${blob} is ${fault}.` });
      return found;
    }
    found.set(block, { offset, count: proven.length + found.size + 1 });
    at += bytesIn(block);
  }
  return found;
}

function missing({ blob, attempts }: Ledger, found: ReadonlyMap<Block, Place>): Violation[] {
  const violations: Violation[] = [];
  for (const { block, place } of attempts) {
    if (place === undefined) continue;
    const there = found.get(block);
    if (there === undefined) {
      const text = `${keyOf(block)}, acknowledged at ${place.offset} of ${blob}, is not there.`;
      violations.push({ kind: "lost", text });
    } else if (there.offset !== place.offset || there.count !== place.count) {
      const text =
        `${keyOf(block)} of ${blob} was acknowledged at ${place.offset} as number ` +
        `${place.count}, and is at ${there.offset} as number ${there.count}.`;
      violations.push({ kind: "wrong", text });
    }
  }
  return violations;
}

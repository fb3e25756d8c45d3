import { KqlError } from "../../../kql-error.ts";
import { WORD } from "./escapes.ts";
import type { Assertion } from "./pattern.ts";
import type { Program } from "./program.ts";

/** Positions where groups began and ended, newest first; shared between threads. */
interface Captures {
  readonly slot: number;
  readonly at: number;
  readonly older: Captures | null;
}

interface Thread {
  readonly pc: number;
  readonly captures: Captures | null;
}

/** Most steps of one search; while it runs, nothing else does. */
const STEPS_MAX = 10_000_000;
const TOO_LONG = "A regular expression takes too long for so long a text.";

const WORD_BEFORE = new RegExp(`[${WORD}]$`, "v");
const WORD_CHARACTER = new RegExp(`[${WORD}]`, "v");

/**
 * Finds the leftmost match at or after a position: pairs of start and end by group, -1 where a
 * group took no part. All alternatives advance together, one character at a time, so the time is
 * bounded by the length of the text times the size of the pattern.
 */
export function runProgram(program: Program, text: string, from: number): number[] | null {
  const machine = new Machine(program, text);
  const captures = machine.search(from);
  return captures === undefined ? null : positionsOf(captures);
}

class Machine {
  readonly #program: Program;
  readonly #text: string;
  /** The position at which an instruction was last reached: once for each is enough. */
  readonly #reached: Int32Array;
  #steps = 0;

  constructor(program: Program, text: string) {
    this.#program = program;
    this.#text = text;
    this.#reached = new Int32Array(program.length).fill(-1);
  }

  search(from: number): Captures | null | undefined {
    let found: Captures | null | undefined;
    let threads: Thread[] = [];
    for (let at = from; at <= this.#text.length;) {
      if (found === undefined) this.#add(threads, { pc: 0, captures: null }, at);
      else if (threads.length === 0) break;
      // Threads behind one that has matched would be worse matches.
      const end = threads.findIndex(({ pc }) => this.#program[pc]?.op === "match");
      const matched = threads[end];
      if (matched !== undefined) found = matched.captures;
      const codePoint = this.#text.codePointAt(at) ?? -1;
      at += codePoint > 0xffff ? 2 : 1;
      threads = this.#step(end < 0 ? threads : threads.slice(0, end), codePoint, at);
    }
    return found;
  }

  /** The threads that can take the character, behind it. */
  #step(threads: readonly Thread[], codePoint: number, at: number): Thread[] {
    const following: Thread[] = [];
    if (codePoint < 0) return following;
    for (const { pc, captures } of threads) {
      const instruction = this.#program[pc];
      if (instruction?.op === "one" && instruction.test(codePoint)) {
        this.#add(following, { pc: pc + 1, captures }, at);
      }
    }
    return following;
  }

  /** Follows all that takes no character, best alternative first. */
  #add(threads: Thread[], start: Thread, at: number): void {
    const waiting = [start];
    for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
      if (this.#reached[thread.pc] === at) continue;
      this.#reached[thread.pc] = at;
      this.#steps += 1;
      if (this.#steps > STEPS_MAX) throw new KqlError("limit", TOO_LONG);
      const following = this.#follow(thread, at);
      if (following === null) threads.push(thread);
      else waiting.push(...following);
    }
  }

  /** Where a thread goes without taking a character, best last; null when it has to take one. */
  #follow({ pc, captures }: Thread, at: number): Thread[] | null {
    const instruction = this.#program[pc];
    switch (instruction?.op) {
      case "split":
        return [
          { pc: instruction.second, captures },
          { pc: instruction.first, captures },
        ];
      case "jump":
        return [{ pc: instruction.to, captures }];
      case "save":
        return [{ pc: pc + 1, captures: { slot: instruction.slot, at, older: captures } }];
      case "assert":
        return HOLDS[instruction.assertion](this.#text, at) ? [{ pc: pc + 1, captures }] : [];
      case "one":
      case "match":
      case undefined:
        break;
    }
    return null;
  }
}

function positionsOf(captures: Captures | null): number[] {
  const positions: number[] = [];
  for (let capture = captures; capture !== null; capture = capture.older) {
    while (positions.length <= capture.slot) positions.push(-1);
    if (positions[capture.slot] === -1) positions[capture.slot] = capture.at;
  }
  return positions;
}

const HOLDS: Readonly<Record<Assertion, (text: string, at: number) => boolean>> = {
  textStart: (_, at) => at === 0,
  textEnd: (text, at) => at === text.length,
  lineStart: (text, at) => at === 0 || text[at - 1] === "\n",
  lineEnd: (text, at) => at === text.length || text[at] === "\n",
  word: (text, at) => isWordBefore(text, at) !== isWordAfter(text, at),
  notWord: (text, at) => isWordBefore(text, at) === isWordAfter(text, at),
  wordStart: (text, at) => !isWordBefore(text, at) && isWordAfter(text, at),
  wordEnd: (text, at) => isWordBefore(text, at) && !isWordAfter(text, at),
};

function isWordBefore(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  return WORD_BEFORE.test(before);
}

function isWordAfter(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at);
  return codePoint !== undefined && WORD_CHARACTER.test(String.fromCodePoint(codePoint));
}

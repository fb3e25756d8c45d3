import { KqlError } from "../../../kql-error.ts";
import type { Assertion, Pattern, PatternNode } from "./pattern.ts";

/** Largest program; repetitions are unrolled, so a short pattern can make a long one. */
const INSTRUCTIONS_MAX = 20_000;

type CharacterTest = (codePoint: number) => boolean;

export type Instruction =
  | { readonly op: "one"; readonly test: CharacterTest }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "save"; readonly slot: number }
  | { readonly op: "assert"; readonly assertion: Assertion }
  | { readonly op: "match" };

type Draft = Instruction | { readonly op: "jump"; readonly to: number };
export type Program = readonly Draft[];

/** Compiles a pattern for a machine that follows all alternatives at once. */
export function compileProgram({ root }: Pattern): Program {
  const program: Draft[] = [{ op: "save", slot: 0 }];
  emit(program, root);
  program.push({ op: "save", slot: 1 }, { op: "match" });
  return program;
}

function emit(program: Draft[], node: PatternNode): void {
  if (program.length > INSTRUCTIONS_MAX) {
    throw new KqlError("limit", "The regular expression repeats too much: it is too large.");
  }
  switch (node.kind) {
    case "sequence":
      for (const part of node.nodes) emit(program, part);
      break;
    case "choice":
      emitChoice(program, node.nodes);
      break;
    case "repeat":
      emitRepeat(program, node);
      break;
    case "group":
      program.push({ op: "save", slot: node.index * 2 });
      emit(program, node.node);
      program.push({ op: "save", slot: node.index * 2 + 1 });
      break;
    case "one":
      program.push({ op: "one", test: characterTest(node.source, node.ignoreCase) });
      break;
    case "assert":
      program.push({ op: "assert", assertion: node.assertion });
      break;
  }
}

function emitChoice(program: Draft[], nodes: readonly PatternNode[]): void {
  const ends: number[] = [];
  for (const node of nodes.slice(0, -1)) {
    const split = reserve(program);
    emit(program, node);
    ends.push(reserve(program));
    program[split] = { op: "split", first: split + 1, second: program.length };
  }
  const last = nodes.at(-1);
  if (last !== undefined) emit(program, last);
  for (const end of ends) program[end] = { op: "jump", to: program.length };
}

type Repeat = Extract<PatternNode, { kind: "repeat" }>;

function emitRepeat(program: Draft[], { node, min, max, isGreedy }: Repeat): void {
  for (let count = 0; count < min; count += 1) emit(program, node);
  if (max === Number.POSITIVE_INFINITY) {
    const split = reserve(program);
    emit(program, node);
    program.push({ op: "jump", to: split });
    program[split] = branch(split + 1, program.length, isGreedy);
    return;
  }
  const splits: number[] = [];
  for (let count = min; count < max; count += 1) {
    splits.push(reserve(program));
    emit(program, node);
  }
  for (const split of splits) program[split] = branch(split + 1, program.length, isGreedy);
}

function branch(inside: number, after: number, isGreedy: boolean): Draft {
  return isGreedy
    ? { op: "split", first: inside, second: after }
    : { op: "split", first: after, second: inside };
}

/** Keeps a place for an instruction whose target is not known yet. */
function reserve(program: Draft[]): number {
  return program.push({ op: "match" }) - 1;
}

const LITERAL = /^\\u\{([0-9a-f]+)\}$/;
const ASCII_SIZE = 128;

function characterTest(source: string, ignoreCase: boolean): CharacterTest {
  const literal = ignoreCase ? undefined : LITERAL.exec(source)?.[1];
  if (literal !== undefined) {
    const wanted = Number.parseInt(literal, 16);
    return (codePoint) => codePoint === wanted;
  }
  const expression = new RegExp(`^${source}$`, ignoreCase ? "iv" : "v");
  const ascii: (boolean | undefined)[] = Array.from({ length: ASCII_SIZE });
  return (codePoint) => {
    if (codePoint >= ASCII_SIZE) return expression.test(String.fromCodePoint(codePoint));
    return (ascii[codePoint] ??= expression.test(String.fromCodePoint(codePoint)));
  };
}

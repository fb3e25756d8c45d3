import { WORD } from "./escapes.ts";
import type { Assertion, Pattern, PatternNode } from "./pattern.ts";

/** Most steps that JavaScript's own matcher, which goes back and tries again, may need. */
const STEPS_MAX = 10_000_000;
const CHOICES_MAX = 8;

/** A pattern for JavaScript's own matcher, which is much faster on short texts. */
export interface NativePattern {
  readonly expression: RegExp;
  /** Longest text on which it is sure to be done soon. */
  readonly lengthMax: number;
}

/** Null for patterns with nested repetition, which can take JavaScript forever. */
export function nativePattern({ root }: Pattern): NativePattern | null {
  const counts = { repeats: 0, choices: 0 };
  const source = sourceOf(root, counts);
  if (source === null || counts.choices > CHOICES_MAX) return null;
  const steps = STEPS_MAX / 2 ** counts.choices;
  // A search may start anywhere, and each repetition may end anywhere.
  const lengthMax = counts.repeats === 0 ? steps : steps ** (1 / (counts.repeats + 1));
  return { expression: new RegExp(source, "gv"), lengthMax };
}

interface Counts {
  repeats: number;
  choices: number;
}

function sourceOf(node: PatternNode, counts: Counts): string | null {
  switch (node.kind) {
    case "one":
      return node.ignoreCase ? `(?i:${node.source})` : node.source;
    case "assert":
      return ASSERTIONS[node.assertion];
    case "group":
      return wrap("(", sourceOf(node.node, counts));
    case "repeat":
      return repeatSource(node, counts);
    case "sequence":
      return join(node.nodes, "", counts);
    case "choice":
      break;
  }
  counts.choices += 1;
  return wrap("(?:", join(node.nodes, "|", counts));
}

function join(nodes: readonly PatternNode[], by: string, counts: Counts): string | null {
  const sources = nodes.map((node) => sourceOf(node, counts));
  return sources.includes(null) ? null : sources.join(by);
}

function wrap(open: string, source: string | null): string | null {
  return source === null ? null : `${open}${source})`;
}

/** Only of single characters: JavaScript forgets the groups of a repetition before each turn. */
function repeatSource(
  { node, min, max, isGreedy }: Extract<PatternNode, { kind: "repeat" }>,
  counts: Counts,
): string | null {
  const single = node.kind === "sequence" && node.nodes.length === 1 ? node.nodes[0] : node;
  if (single?.kind !== "one") return null;
  if (min !== max) counts.repeats += 1;
  const high = max === Number.POSITIVE_INFINITY ? "" : max;
  return `${sourceOf(single, counts)}{${min},${high}}${isGreedy ? "" : "?"}`;
}

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  textStart: "(?<![^])",
  textEnd: "(?![^])",
  lineStart: "(?<![^\\n])",
  lineEnd: "(?![^\\n])",
  word: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  notWord: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  wordStart: `(?<![${WORD}])(?=[${WORD}])`,
  wordEnd: `(?<=[${WORD}])(?![${WORD}])`,
};

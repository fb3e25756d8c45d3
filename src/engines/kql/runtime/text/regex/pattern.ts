/** Where a match may be without taking a character. */
export type Assertion =
  | "textStart"
  | "textEnd"
  | "lineStart"
  | "lineEnd"
  | "word"
  | "notWord"
  | "wordStart"
  | "wordEnd";

/** A regular expression as a tree. */
export type PatternNode =
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: "one";
      /** A character or a class in the notation of JavaScript's `v` mode. */
      readonly source: string;
      readonly ignoreCase: boolean;
    }
  | {
      readonly kind: "repeat";
      readonly node: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
    }
  | { readonly kind: "group"; readonly node: PatternNode; readonly index: number }
  | { readonly kind: "assert"; readonly assertion: Assertion };

export interface Pattern {
  readonly root: PatternNode;
  /** Names of the groups by their index; group 0 is the whole match. */
  readonly groups: readonly (string | undefined)[];
}

export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly verbose: boolean;
}

export const NO_FLAGS: Flags = {
  ignoreCase: false,
  multiLine: false,
  dotAll: false,
  swapGreed: false,
  verbose: false,
};

import { KqlError } from "../../../kql-error.ts";

/** Walks a pattern by code points. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character without taking it; `""` at the end. */
  peek(): string {
    return this.isAtEnd ? "" : String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
  }

  take(): string {
    const next = this.peek();
    if (next === "") throw this.refuse("it ends too early");
    this.#at += next.length;
    return next;
  }

  /** Takes the text if it comes next. */
  takeIf(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Takes what a sticky expression matches here. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  refuse(reason: string): KqlError {
    const sentence = `The regular expression '${this.#text}' is not valid: ${reason}.`;
    return new KqlError("semantic", sentence);
  }
}

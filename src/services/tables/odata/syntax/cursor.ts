import { badQuery } from "../../protocol/refusals.ts";

/** Parentheses, functions and options inside of each other. */
const DEPTH_MAX = 40;
/** Comparisons, calculations and functions of one query. */
const CONDITIONS_MAX = 500;
/** Characters of a text that an error repeats. */
const SHOWN_MAX = 200;

/** A place in the text of a query option, and how much of what is allowed has been used. */
export class Cursor {
  readonly option: string;
  readonly text: string;
  at = 0;
  #depth = 0;
  #conditions = 0;

  constructor(option: string, text: string) {
    this.option = option;
    this.text = text;
  }

  /** Refuses the query at this place, or at another. */
  fail(message = "Syntax error", at = this.at): never {
    const shown = this.text.length > SHOWN_MAX ? `${this.text.slice(0, SHOWN_MAX)}…` : this.text;
    throw badQuery(`${message} at position ${at} in ${this.option} '${shown}'.`);
  }

  skipBlanks(): void {
    while (this.text.charCodeAt(this.at) === 32) this.at += 1;
  }

  /** The next character; empty at the end. */
  peek(): string {
    return this.text[this.at] ?? "";
  }

  /** What a sticky pattern finds at this place. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return undefined;
    const found = this.text.slice(this.at, pattern.lastIndex);
    this.at = pattern.lastIndex;
    return found;
  }

  /** Takes a whole word, after blanks. */
  takeWord(word: string): boolean {
    this.skipBlanks();
    if (!this.text.startsWith(word, this.at)) return false;
    if (isWordCode(this.text.charCodeAt(this.at + word.length))) return false;
    this.at += word.length;
    return true;
  }

  /** Takes a character that follows at once. */
  takeNext(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  /** Takes a character, after blanks. */
  take(character: string): boolean {
    this.skipBlanks();
    return this.takeNext(character);
  }

  need(character: string): void {
    if (!this.take(character)) this.fail(`Expected '${character}'`);
  }

  needEnd(): void {
    this.skipBlanks();
    if (this.at < this.text.length) this.fail();
  }

  /** Things between commas, up to the character that ends them. */
  list<Item>(end: string, item: () => Item): Item[] {
    const items: Item[] = [];
    if (this.take(end)) return items;
    do items.push(item());
    while (this.take(","));
    this.need(end);
    return items;
  }

  /** Reads something that may hold things of its own kind. */
  nested<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.fail(`The query is nested more than ${DEPTH_MAX} deep`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  countCondition(): void {
    this.#conditions += 1;
    if (this.#conditions > CONDITIONS_MAX) {
      this.fail(`The query has more than ${CONDITIONS_MAX} conditions`);
    }
  }
}

/** Letters, digits and the underscore; NaN, the end of the text, is none. */
function isWordCode(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const lower = code | 32;
  return isDigit || code === 95 || (lower >= 97 && lower <= 122);
}

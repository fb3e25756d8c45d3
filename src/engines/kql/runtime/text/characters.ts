const SURROGATE = /[\ud800-\udfff]/;

/** The characters of a text: whole code points, as the language counts them. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** Whether every character is one UTF-16 unit, so that offsets need no conversion. */
export function isPlain(text: string): boolean {
  return !SURROGATE.test(text);
}

/** A UTF-16 offset as a count of characters. */
export function characterOffset(text: string, offset: number): number {
  return isPlain(text) ? offset : charactersOf(text.slice(0, offset)).length;
}

/** A count of characters as a UTF-16 offset, clamped to the text. */
export function unitOffset(text: string, characters: number): number {
  if (isPlain(text)) return Math.min(characters, text.length);
  return charactersOf(text).slice(0, characters).join("").length;
}

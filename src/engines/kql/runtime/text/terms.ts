const TERM = /[\p{L}\p{N}]/u;

/** Whether a term stands in the text between characters that are no letters and no digits. */
export function hasTerm(text: string, term: string): boolean {
  const [source, wanted] = [text.toLowerCase(), term.toLowerCase()];
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1)) {
    if (isBoundary(source, at, wanted) && wanted !== "") return true;
  }
  return false;
}

function isBoundary(source: string, at: number, wanted: string): boolean {
  const before = source[at - 1] ?? "";
  const after = source[at + wanted.length] ?? "";
  return !TERM.test(before) && !TERM.test(after);
}

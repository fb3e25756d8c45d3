/** Symbols that the culture's order puts before digits and letters, in its order. */
const SYMBOLS = "!#$%&*.^_`|~+";
const IGNORED_AT_FIRST = /[-']/g;

/** Plain order of UTF-16 code units. */
export function compareOrdinal(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * The order of header names under the rules of an English locale, which public clients sign by:
 * hyphens are passed over at first, then symbols, digits and letters follow in this order.
 */
export function compareAsCulture(left: string, right: string): number {
  const first = compareOrdinal(ranked(left), ranked(right));
  if (first !== 0) return first;
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    if (left[at] !== right[at]) return left[at] === "-" ? 1 : -1;
  }
  return left.length - right.length;
}

/** The name with every symbol replaced by a character that sorts where the culture has it. */
function ranked(name: string): string {
  const significant = name.toLowerCase().replaceAll(IGNORED_AT_FIRST, "");
  return Array.from(significant, (character) => {
    const symbol = SYMBOLS.indexOf(character);
    return symbol < 0 ? character : String.fromCharCode(symbol + 1);
  }).join("");
}

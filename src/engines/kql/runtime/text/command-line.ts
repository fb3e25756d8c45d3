/** Backslashes before a quote, white space, or text that stands for itself. */
const TOKEN = /(\\*)"|[ \t]+|\\+|[^\\" \t]+/g;
const SPACE = /^[ \t]/;

/**
 * Splits a command line as Windows does: quotes hold a part together, backslashes are plain except
 * before a quote, where two stand for one and an odd one makes the quote plain.
 */
export function splitCommandLine(line: string): string[] {
  const parts: string[] = [];
  let part: string | null = null;
  let isQuoted = false;
  for (const [token, backslashes] of line.matchAll(TOKEN)) {
    if (backslashes !== undefined) {
      const isPlain = backslashes.length % 2 === 1;
      part = `${part ?? ""}${"\\".repeat(backslashes.length / 2)}${isPlain ? '"' : ""}`;
      isQuoted = isQuoted !== !isPlain;
    } else if (isQuoted || !SPACE.test(token)) {
      part = (part ?? "") + token;
    } else if (part !== null) {
      parts.push(part);
      part = null;
    }
  }
  return part === null ? parts : [...parts, part];
}

/** Something the user can put right: a sentence, and what to do about it. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** What to do next, as a sentence. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const REPORT_HINT = "This is a fault of Atoll. Run it again with ATOLL_DEBUG=1 to see where.";

/** An error as it is shown: never a stack, unless somebody debugs. */
export function describeError(error: unknown, isJson: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof CliError ? error.hint : REPORT_HINT;
  if (isJson) return JSON.stringify({ error: { message, hint } });
  return `Error: ${sentence(message)} ${hint}`;
}

/** A plain word at the beginning; the names of settings, files and flags stay as they are. */
const PLAIN_WORD = /^[a-z]+ (?!in )/;

/** Begins with a capital and ends in a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim().replace(/:$/, "");
  const isPlain = PLAIN_WORD.test(trimmed);
  const begun = isPlain ? trimmed.slice(0, 1).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

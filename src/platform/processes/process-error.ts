const LINES_SHOWN = 20;

/** A child that could not be started; the sentence is followed by what it wrote last. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
  /** What the child wrote last, line by line. */
  readonly lines: readonly string[];

  constructor(sentence: string, lines: readonly string[] = [], options?: ErrorOptions) {
    super([sentence, ...lines.slice(-LINES_SHOWN)].join("\n"), options);
    this.lines = lines;
  }
}

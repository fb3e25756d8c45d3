/** What a protocol's envelope may carry beside status, code and sentence. */
export interface ProblemDetail {
  /** Response headers that belong to this refusal, by their native names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further named values for the body, in the order in which they are written. */
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * A refusal that the caller can act on. The error handler of the plugin whose route was hit
 * turns it into that protocol's envelope; whatever else reaches the edge is a bug and a 500.
 */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly statusCode: number;
  readonly code: string;
  readonly detail: ProblemDetail;

  constructor(statusCode: number, code: string, message: string, detail: ProblemDetail = {}) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.detail = detail;
  }
}

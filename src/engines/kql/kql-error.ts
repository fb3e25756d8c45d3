/** Why a query is refused: the text does not parse, does not bind, or meets a limit at run time. */
export type KqlErrorKind = "syntax" | "semantic" | "runtime" | "limit" | "unsupported";

/** A query that cannot be answered, with one sentence for its author. */
export class KqlError extends Error {
  override readonly name = "KqlError";
  readonly kind: KqlErrorKind;
  /** The service's own code, such as `SEM0100` or `SYN0002`. */
  readonly code: string;
  /** Where in the text: offset and length in UTF-16 units. */
  readonly position: { readonly start: number; readonly length: number } | undefined;

  constructor(
    kind: KqlErrorKind,
    message: string,
    {
      code = DEFAULT_CODES[kind],
      position,
    }: { code?: string; position?: { start: number; length: number } | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.position = position;
  }
}

const DEFAULT_CODES: Readonly<Record<KqlErrorKind, string>> = {
  syntax: "SYN0002",
  semantic: "SEM0100",
  runtime: "E_RUNTIME_ERROR",
  limit: "E_QUERY_RESULT_SET_TOO_LARGE",
  unsupported: "SEM0001",
};

/** Why nothing was ingested. */
export type IngestionErrorKind = "unknown-format" | "mapping" | "malformed" | "too-large";

/** Data that cannot be taken in, with one sentence for its sender. */
export class IngestionError extends Error {
  override readonly name = "IngestionError";
  readonly kind: IngestionErrorKind;

  constructor(kind: IngestionErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What is wrong with one record; `row` counts records from 1, `column` characters or fields. */
export interface BadRecord {
  readonly row: number;
  readonly column: number;
  readonly message: string;
}

export function malformed({ row, column, message }: BadRecord): IngestionError {
  return new IngestionError("malformed", `Row ${row}, column ${column}: ${message}.`);
}

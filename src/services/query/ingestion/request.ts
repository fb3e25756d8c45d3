export interface IngestRequest {
  readonly database: string;
  readonly table: string;
  /** In upper or lower case. */
  readonly format: string;
  /** Bytes, plain or as gzip; the bytes tell. */
  readonly body: AsyncIterable<Uint8Array>;
  /** A stored mapping by its name, or a mapping itself. */
  readonly mapping?: { readonly name: string } | { readonly text: string } | undefined;
  readonly ignoreFirstRecord?: boolean | undefined;
  /** What to do about each record that cannot be read: `fail` unless told otherwise. */
  readonly badRows?: "fail" | "skip" | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Ticks, in place of now. */
  readonly creationTime?: bigint | undefined;
  /** For the transform `SourceLocation`. */
  readonly sourceName?: string | undefined;
  readonly signal: AbortSignal;
}

export interface IngestResult {
  /** Undefined when there were no rows. */
  readonly extentId: string | undefined;
  readonly rows: number;
  /** Records that could not be read and were left out. */
  readonly skipped: number;
  /** Bytes, unpacked. */
  readonly size: number;
}

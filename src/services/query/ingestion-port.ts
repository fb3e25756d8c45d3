/** Data in one of the formats of ingestion, and where it goes. */
export interface IngestSource {
  readonly database: string;
  readonly table: string;
  readonly tags: readonly string[];
  readonly createdOn: Date | undefined;
  /** In lower case. */
  readonly format: string;
  /** The name of a stored mapping, or a mapping itself. */
  readonly mapping: { readonly name: string } | { readonly text: string } | undefined;
  readonly ignoreFirstRecord: boolean;
  readonly skipBadRows: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Where the bytes come from, for mappings that ask. */
  readonly sourceName: string;
  /** Ends the ingestion, with nothing added. */
  readonly signal: AbortSignal;
}

export interface Ingested {
  readonly extentId: string;
  readonly rows: number;
}

/** Adds the rows of the data, all of them or none; durable once it resolves. */
export type Ingest = (source: IngestSource) => Promise<Ingested>;

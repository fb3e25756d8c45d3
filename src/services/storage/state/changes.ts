import type {
  BlobRow,
  BlockRow,
  ContainerRow,
  ServiceRow,
  StagedBlobRow,
  StagedBlockRow,
} from "../store.ts";

/** A change of rows that many requests make, and that many of at a time are written. */
export type RowChange =
  | { readonly kind: "container"; readonly row: ContainerRow }
  | { readonly kind: "container-deleted"; readonly id: number }
  | { readonly kind: "service"; readonly row: ServiceRow }
  | {
      readonly kind: "blob";
      readonly row: BlobRow;
      readonly blocks: readonly BlockRow[];
      /** The blob whose name this one takes. */
      readonly replaces?: number;
    }
  | { readonly kind: "blob-deleted"; readonly id: number };

/** A change that reads what the changes before it have written. */
export type LateChange =
  | {
      /** A blob whose blocks are those of another one, up to a length. */
      readonly kind: "blob-copied";
      readonly row: BlobRow;
      readonly source: { readonly id: number; readonly length: number };
      /** The blob whose name this one takes; it may be the source. */
      readonly replaces: number | undefined;
    }
  | { readonly kind: "service-deleted"; readonly account: string }
  | { readonly kind: "snapshots-deleted"; readonly containerId: number; readonly name: string }
  | PagesWritten;

/** What a blob has from `begin` to `end` is replaced; without runs it is cleared. */
export interface PagesWritten {
  readonly kind: "pages-written";
  readonly blobId: number;
  readonly begin: number;
  readonly end: number;
  readonly runs: readonly BlockRow[];
}

/** A change of the blocks that wait to be committed. */
export type StagingChange =
  | {
      readonly kind: "block-staged";
      readonly blob: StagedBlobRow;
      readonly rows: readonly StagedBlockRow[];
      /** The upload of the same block that this one takes the place of. */
      readonly replaces: number | undefined;
    }
  | { readonly kind: "staging-dropped"; readonly generation: number };

export type SingleChange = LateChange | RowChange | StagingChange;

/** One change of the metadata, decided already; all of it takes place or nothing. */
export type Change =
  | SingleChange
  | { readonly kind: "all"; readonly changes: readonly SingleChange[] };

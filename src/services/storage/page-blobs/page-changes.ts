import type { Call } from "../call.ts";
import type { SingleChange } from "../state/changes.ts";
import type { BlobRow } from "../store.ts";
import { pageBlobLength, requirePageType } from "./page-blob.ts";
import { parseSequenceAction } from "./sequence-number.ts";

const PROPERTIES: readonly string[] = `
  x-svc-blob-cache-control x-svc-blob-content-type x-svc-blob-content-md5
  x-svc-blob-content-encoding x-svc-blob-content-language x-svc-blob-content-disposition
`
  .trim()
  .split(/\s+/);

/** What a request changes of a page blob beside its content properties. */
interface PageChanges {
  /** Whether the request is about nothing else. */
  readonly isAll: boolean;
  readonly decide: (existing: BlobRow) => Partial<BlobRow>;
}

/** Undefined where a request says nothing of a page blob. */
export function parsePageChanges({ headers }: Call): PageChanges | undefined {
  const length = pageBlobLength(headers);
  const count = parseSequenceAction(headers);
  if (length === undefined && count === undefined) return undefined;
  return {
    isAll: PROPERTIES.every((name) => headers[name] === undefined),
    decide(existing) {
      requirePageType(existing);
      const { sequenceNumber } = existing;
      const next = count === undefined ? undefined : count(BigInt(sequenceNumber ?? "0"));
      return {
        length: length ?? existing.length,
        sequenceNumber: next === undefined ? sequenceNumber : String(next),
      };
    },
  };
}

/** What lies behind the new end of a page blob is cleared, and stays so when it grows again. */
export function shrunk(existing: BlobRow, row: BlobRow): readonly SingleChange[] {
  if (row.length >= existing.length) return [];
  const span = { begin: row.length, end: existing.length };
  return [{ kind: "pages-written", blobId: row.id, ...span, runs: [] }];
}

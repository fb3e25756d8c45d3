import type { AnswerHeaders, Call } from "../call.ts";
import { blobNotFound, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { refusePendingCopy } from "../copy/copy-state.ts";
import { requireWriteLease } from "../leases/require-lease.ts";
import {
  encryptedHeader,
  requireSameEncryption,
  type Encryption,
} from "../encryption/content-key.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import {
  checkWriteConditions,
  parseConditions,
  requireWriteConditions,
  type Conditions,
} from "../protocol/conditions.ts";
import type { Span } from "../state/block-records.ts";
import type { BlobRow } from "../store.ts";
import { requirePageType, sequenceHeader } from "./page-blob.ts";
import { requireWithin } from "./page-range.ts";
import type { PageRun } from "./page-runs.ts";
import { parseSequenceConditions, type SequenceConditions } from "./sequence-number.ts";

/** Bytes of pages that are written in one request. */
export const WRITE_MAX = 4 * 2 ** 20;

/** What a request demands of the page blob that it writes to. */
export interface PageConditions extends Conditions {
  readonly requireSequence: SequenceConditions;
}

export function parsePageConditions({ headers }: Call): PageConditions {
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  return { ...conditions, requireSequence: parseSequenceConditions(headers) };
}

/** What can be refused before the bytes are taken; `decidePages` looks again. */
export function requirePageBlob({ blob }: Place, call: Call, span: Span): BlobRow {
  const existing = blob.assigned;
  if (existing === undefined) throw blobNotFound(call);
  requirePageType(existing);
  requireWithin(existing, span);
  return existing;
}

interface NewPages {
  readonly span: Span;
  /** None to clear the pages. */
  readonly runs: readonly PageRun[];
  readonly conditions: PageConditions;
  /** How the bytes of the pages were encrypted. */
  readonly encryption: Encryption;
}

/** Puts pages, whose bytes are in the block store already, into the blob; in one step. */
export async function decidePages(
  { catalog, environment, copies }: Context,
  call: Call,
  place: Place,
  { span, runs, conditions, encryption }: NewPages,
): Promise<AnswerHeaders> {
  place.requireContainer();
  const existing = requirePageBlob(place, call, span);
  requireWriteConditions(conditions, existing);
  const leased = { kind: "Blob", lease: existing.lease } as const;
  const lease = requireWriteLease(call.headers, leased, environment.now());
  conditions.requireSequence(existing);
  requireSameEncryption(existing, encryption);
  refusePendingCopy({ copies }, existing);

  const row = { ...existing, ...catalog.stamp(), lease };
  const blobId = existing.id;
  const rows = runs.map((run) => Object.assign({ blobId, blockId: null }, run));
  await catalog.change(place.blob, row, {
    kind: "all",
    changes: [
      { kind: "blob", row, blocks: [] },
      { kind: "pages-written", blobId, ...span, runs: rows },
    ],
  });
  return {
    ...stampHeaders(row, call.version),
    ...encryptedHeader(row, call.version),
    ...sequenceHeader(row),
  };
}

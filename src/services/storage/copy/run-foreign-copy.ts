import type { OutboundResponse } from "#platform/fetch/outbound-fetch.ts";
import { Problem } from "#platform/problem.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { tooLarge } from "../protocol/header-values.ts";
import { putBlobMax } from "../protocol/versions.ts";
import { cannotVerify } from "../sources/cannot-verify.ts";
import type { CopySource } from "../sources/copy-source.ts";
import {
  askForeign,
  asSource,
  expectedLength,
  originOf,
  requireSuccess,
} from "../sources/foreign-source.ts";
import { foreignTags } from "../sources/foreign-tags.ts";
import { PAGE_BYTES } from "../state/page-map.ts";
import type { BlobRow, BlockRow } from "../store.ts";
import { requireTierFits } from "../tiers/tiers.ts";
import { readCopy, withoutContent, type CopyState } from "./copy-state.ts";
import { piecesOf, storePiece } from "./foreign-content.ts";
import { sealCopy, type ForeignCopy, type Found } from "./foreign-copy.ts";

/** How long a copy in the background may read its source. */
const READ_MS_MAX = 24 * 3_600_000;
const NEWEST = "9999";
const NO_CONDITIONS = {
  ifMatch: undefined,
  ifNoneMatch: undefined,
  ifModifiedSince: undefined,
  ifUnmodifiedSince: undefined,
  ifTags: undefined,
};

/** Reads the source to its end, from where the copy has come before. It never throws. */
export async function runForeignCopy(
  context: Context,
  copy: ForeignCopy,
  signal: AbortSignal,
): Promise<void> {
  try {
    await asSource(() => readOn(context, copy, signal));
  } catch (error) {
    if (signal.aborted) return;
    const description = error instanceof Problem ? error.message : "The copy failed.";
    if (!(error instanceof Problem)) context.log.error(error, "A copy has failed");
    await settle(context, copy, async (row, place) => {
      const after = {
        ...stateOf(context, row, { status: "failed", description, progress: "0/0" }),
        ...context.catalog.stamp(),
      };
      await context.catalog.change(place.blob, after, withoutContent(after));
    });
  }
}

async function readOn(context: Context, copy: ForeignCopy, signal: AbortSignal): Promise<void> {
  const taken = await settle(context, copy, async ({ copy: state }) => takenOf(state));
  const etag = copy.found?.etag ?? undefined;
  const from = etag === undefined ? 0 : taken;
  const source = sourceOf(copy, from > 0 ? { from, etag } : undefined);
  const response = await askForeign(context, source, signal);
  try {
    const goesOn = from > 0 && response.status !== 200;
    if (goesOn) {
      await requireSuccess(response, source, copy.version);
      expectedLength(response, source.range);
      await takeAll(context, copy, { response, from });
      return;
    }
    // What does not know ranges is read anew.
    const begun = await begin(context, copy, { response, signal });
    await takeAll(context, begun, { response, from: 0 });
  } finally {
    response.discard();
  }
}

interface AskedRest {
  readonly from: number;
  readonly etag: string | undefined;
}

/** What is asked of the source: the rest, if it is still what it was. */
function sourceOf(copy: ForeignCopy, rest: AskedRest | undefined): CopySource {
  const { authorization, intent, leaseId, copiesTags, conditionHeaders } = copy;
  return {
    url: new URL(copy.url),
    range: rest === undefined ? undefined : { first: rest.from, last: undefined },
    conditions: NO_CONDITIONS,
    conditionHeaders: rest?.etag === undefined ? conditionHeaders : { "if-match": rest.etag },
    authorization: authorization ?? undefined,
    intent: intent ?? undefined,
    leaseId: leaseId ?? undefined,
    copiesTags,
    timeoutMs: READ_MS_MAX,
  };
}

interface Begun {
  readonly response: OutboundResponse;
  readonly signal: AbortSignal;
}

/** Keeps what the source says of itself; whatever was taken of it before is dropped. */
async function begin(
  context: Context,
  copy: ForeignCopy,
  { response, signal }: Begun,
): Promise<ForeignCopy> {
  const source = sourceOf(copy, undefined);
  await requireSuccess(response, source, copy.version);
  const length = expectedLength(response, undefined) ?? null;
  const { etag } = response.headers;
  const found = {
    ...originOf(response),
    tags: copy.copiesTags ? await foreignTags(context, source, signal) : null,
    etag: etag === undefined || etag.startsWith("W/") ? null : etag,
    length,
  };
  requireFits(copy, found);
  const begun = { ...copy, found };
  await settle(context, copy, async (row, place) => {
    const { type } = found.kind;
    const state = { ...readCopy(row.copy ?? ""), progress: `0/${length ?? 0}` };
    const copyRequest = sealCopy(context.sealer, begun);
    const after = { ...row, type, copy: JSON.stringify(state), copyRequest };
    await context.catalog.change(place.blob, after, withoutContent(after));
  });
  return begun;
}

function requireFits({ typeBefore, tier }: ForeignCopy, { kind: { type }, length }: Found): void {
  if (typeBefore !== null && typeBefore !== type) {
    const said = `The target was of the type ${typeBefore}, and the source is of ${type}.`;
    throw new Problem(409, "InvalidBlobType", said);
  }
  if (tier !== null) requireTierFits(type);
  const lengthMax = putBlobMax(NEWEST);
  if (length !== null && length > lengthMax) throw tooLarge("The copy source", length, lengthMax);
}

interface Rest {
  readonly response: OutboundResponse;
  /** Where its body begins. */
  readonly from: number;
}

async function takeAll(context: Context, copy: ForeignCopy, { response, from }: Rest) {
  const { found } = copy;
  if (found === null) throw new Error("The source has not been asked yet.");
  const target = await settle(context, copy, async (row) => row);
  const key =
    target.encryptionScope === null
      ? undefined
      : context.scopes.keyOf(copy.target.account, target.encryptionScope);
  const lengthMax = putBlobMax(NEWEST);
  let taken = from;
  for await (const bytes of piecesOf(response.body)) {
    const start = taken;
    taken += bytes.length;
    if (taken > lengthMax) throw tooLarge("The copy source", taken, lengthMax);
    // Unused space waits for what is under way, which must not be as slow as the source.
    const ended = context.inFlight.begin();
    try {
      const rows = await storePiece(context, target, { bytes, start, key });
      await keep(context, copy, rows, `${taken}/${found.length ?? taken}`);
    } finally {
      ended();
    }
  }
  requireWhole(found, taken);
  await finish(context, copy, { found, length: taken });
}

function requireWhole({ length, kind }: Found, taken: number): void {
  if (length !== null && length !== taken) {
    const said = `The copy source announced ${length} bytes and sent ${taken}.`;
    throw cannotVerify(500, said);
  }
  if (kind.type !== "PageBlob" || taken % PAGE_BYTES === 0) return;
  throw cannotVerify(400, `The copy source is a page blob of ${taken} bytes, which are no pages.`);
}

async function keep(
  context: Context,
  copy: ForeignCopy,
  blocks: readonly BlockRow[],
  progress: string,
): Promise<void> {
  await settle(context, copy, async (row, place) => {
    const state = { ...readCopy(row.copy ?? ""), progress };
    const after = { ...row, copy: JSON.stringify(state) };
    await context.catalog.change(place.blob, after, { kind: "blob", row: after, blocks });
  });
}

interface Complete {
  readonly found: Found;
  readonly length: number;
}

async function finish(
  context: Context,
  copy: ForeignCopy,
  { found, length }: Complete,
): Promise<void> {
  const { kind, properties, metadata, tags } = found;
  const progress = `${length}/${length}`;
  await settle(context, copy, async (row, place) => {
    const after = {
      ...stateOf(context, row, { status: "success", description: null, progress }),
      ...properties,
      ...kind,
      ...context.catalog.stamp(),
      length,
      metadata: copy.metadata ?? metadata,
      tags: copy.copiesTags ? tags : copy.tags,
      tier: copy.tier,
      tierChangedAt: copy.tierChangedAt,
      sealed: copy.seals && kind.type === "AppendBlob" ? 1 : 0,
    };
    await context.catalog.change(place.blob, after, { kind: "blob", row: after, blocks: [] });
  });
}

/** The target as a copy leaves it. */
function stateOf(
  { environment }: Context,
  row: BlobRow,
  end: Pick<CopyState, "description" | "progress" | "status">,
): BlobRow {
  const completedAt = environment.now().toISOString();
  const state = { ...readCopy(row.copy ?? ""), ...end, completedAt };
  return { ...row, copy: JSON.stringify(state), copyRequest: null };
}

function takenOf(state: string | null): number {
  const taken = state === null ? "" : readCopy(state).progress.split("/")[0];
  return Number(taken ?? 0);
}

/** Works on the target, if it is still there and waits for this copy; else the copy ends. */
async function settle<Result>(
  context: Context,
  { id, target }: ForeignCopy,
  work: (row: BlobRow, place: Place) => Promise<Result>,
): Promise<Result> {
  return usePlace(context, target, async (place) => {
    const row = place.blob.assigned;
    const isMine = context.copies.isRunning(id) && row?.copy?.includes(id) === true;
    if (!isMine || row.copyRequest === null) {
      context.copies.abort(id);
      throw new Error("The target of the copy is not there any more.");
    }
    place.requireContainer();
    return work(row, place);
  });
}

import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import type { AnswerHeaders } from "../call.ts";
import { httpDate } from "../protocol/answer-headers.ts";
import { headerValue } from "../protocol/header-values.ts";
import { SINCE } from "../protocol/versions.ts";
import type { BlobRow } from "../store.ts";

const TIERS: ReadonlySet<string> = new Set(["Archive", "Cold", "Cool", "Hot"]);
/** Where the content cannot be read from. */
const OFFLINE_TIER = "Archive";
/** Of a block blob that was given none. */
const DEFAULT_TIER = "Hot";

/** The tier that a request gives a blob; undefined where it says none. */
export function tierHeader(headers: IncomingHttpHeaders): string | undefined {
  const tier = headerValue(headers, "x-svc-access-tier");
  if (tier === undefined || TIERS.has(tier)) return tier;
  const said = `x-svc-access-tier is "${tier}", which is none of ${[...TIERS].join(", ")}.`;
  throw new Problem(400, "InvalidBlobTier", said, {
    fields: { HeaderName: "x-svc-access-tier", HeaderValue: tier },
  });
}

/** Tiers are for block blobs. */
export function requireTierFits(type: string): void {
  if (type === "BlockBlob") return;
  const said = `A ${type} has no tier; x-svc-access-tier is for block blobs.`;
  throw new Problem(400, "AccessTierNotSupportedForBlobType", said);
}

/** Refuses what needs the content, or changes anything, of a blob in the archive. */
export function requireOnline({ name, tier }: BlobRow): void {
  if (tier !== OFFLINE_TIER) return;
  const said = `The blob "${name}" is in the tier Archive; set another tier before this.`;
  throw new Problem(409, "BlobArchived", said);
}

/** Whether a new tier brings a blob back from the archive. */
export function rehydrates({ tier: from }: BlobRow, to: string): boolean {
  return from === OFFLINE_TIER && to !== OFFLINE_TIER;
}

/** What properties and listings tell of a blob's tier; nothing where its type has none. */
export function shownTier(blob: Pick<BlobRow, "tier" | "tierChangedAt" | "type">) {
  const isTiered = blob.type === "BlockBlob";
  return {
    tier: isTiered ? (blob.tier ?? DEFAULT_TIER) : undefined,
    isInferred: isTiered && blob.tier === null,
    changedAt: blob.tierChangedAt ?? undefined,
  };
}

export function tierHeaders(blob: BlobRow, version: string): AnswerHeaders {
  if (version < SINCE.tier) return {};
  const { tier, isInferred, changedAt } = shownTier(blob);
  return {
    "x-svc-access-tier": tier,
    "x-svc-access-tier-inferred": isInferred ? "true" : undefined,
    "x-svc-access-tier-change-time": changedAt === undefined ? undefined : httpDate(changedAt),
  };
}

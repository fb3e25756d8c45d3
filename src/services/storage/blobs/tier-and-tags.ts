import type { Call } from "../call.ts";
import type { Context } from "../context.ts";
import type { BlobRow } from "../store.ts";
import { tagsHeader } from "../tags/tags.ts";
import { requireTierFits, tierHeader } from "../tiers/tiers.ts";

/** The tier and the tags that a request gives a new blob of the type, or has it take. */
export function tierAndTags(
  { environment }: Context,
  { headers }: Call,
  type: string,
  source?: { readonly copiesTags: boolean; readonly tags: string | null },
): Pick<BlobRow, "tags" | "tier" | "tierChangedAt"> {
  const tier = tierHeader(headers) ?? null;
  if (tier !== null) requireTierFits(type);
  const tierChangedAt = tier === null ? null : environment.now().toISOString();
  const tags = source?.copiesTags === true ? source.tags : tagsHeader(headers);
  return { tier, tierChangedAt, tags };
}

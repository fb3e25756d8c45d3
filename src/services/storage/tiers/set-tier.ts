import type { Answer, Call } from "../call.ts";
import { changeBlob } from "../blobs/change-blob.ts";
import type { Context } from "../context.ts";
import { requireSentKey } from "../encryption/content-key.ts";
import { headerValue, invalidHeader, requiredHeader } from "../protocol/header-values.ts";
import { rehydrates, requireTierFits, tierHeader } from "./tiers.ts";

/**
 * `PUT /{account}/{container}/{blob}?comp=tier`: entity tag and time stay. A blob comes back from
 * the archive at once, whatever its priority; the answer is 202 as for one that has to wait.
 */
export async function setBlobTier(context: Context, call: Call): Promise<Answer> {
  const { headers } = call;
  requiredHeader(headers, "x-svc-access-tier");
  const tier = tierHeader(headers) ?? null;
  checkPriority(headerValue(headers, "x-svc-rehydrate-priority"));
  let status = 200;
  await changeBlob(context, call, (existing) => {
    requireTierFits(existing.type);
    requireSentKey(context, call, existing);
    if (tier !== null && rehydrates(existing, tier)) status = 202;
    const tierChangedAt = context.environment.now().toISOString();
    return { tier, tierChangedAt, lease: existing.lease };
  });
  return { status, headers: {} };
}

function checkPriority(value: string | undefined): void {
  if (value === undefined || value === "High" || value === "Standard") return;
  throw invalidHeader("x-svc-rehydrate-priority", value, "which is neither High nor Standard");
}

import { createHash } from "node:crypto";

/** The resource group that holds everything of this machine. */
export const RESOURCE_GROUP = "local";

/** A UUID (version 8) that follows from the tenant's, so that there is nothing to keep. */
export function subscriptionId(tenantId: string): string {
  const digits = createHash("sha256").update(`subscription of ${tenantId}`).digest("hex");
  const [a, b, c, d] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 15),
    digits.slice(15, 18),
  ];
  return `${a}-${b}-8${c}-8${d}-${digits.slice(18, 30)}`;
}

/** The path of the resource group, as role assignments name it. */
export function groupScope(tenantId: string): string {
  return `/subscriptions/${subscriptionId(tenantId)}/resourceGroups/${RESOURCE_GROUP}`;
}

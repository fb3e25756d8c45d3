import type { Caller } from "#platform/auth/caller.ts";
import { createAccessIndex } from "#services/authorization/access/access-index.ts";
import { compileRole } from "#services/authorization/access/patterns.ts";

const ASSIGNMENTS = 10_000;
const PRINCIPALS = 500;
const DECISIONS = 200_000;
const ROUNDS = 5;

const ROLE = {
  actions: ["Svc.Storage/storageAccounts/blobServices/containers/read", "*/write"],
  notActions: ["Svc.Authorization/*/write"],
  dataActions: ["Svc.Storage/storageAccounts/blobServices/containers/blobs/*"],
  notDataActions: [],
};

/** One access decision at 10,000 assignments: microseconds, allowed and denied. */
export async function bench(): Promise<void> {
  const spread = filled((at) => `principal${at % PRINCIPALS}`);
  const crowded = filled(() => "principal0");
  const rows = [
    ["allowed, 20 assignments each", time(spread, "principal0", "blobs/read", "c0")],
    ["denied, 20 assignments each", time(spread, "principal0", "blobs/read", "none")],
    ["allowed, 10,000 on one principal", time(crowded, "principal0", "blobs/read", "c9999")],
    ["denied, 10,000 on one principal", time(crowded, "principal0", "blobs/read", "none")],
    ["denied, principal in 20 groups", time(spread, "member", "blobs/read", "none")],
  ] as const;
  console.log(`one decision at ${ASSIGNMENTS} assignments, median of ${ROUNDS} rounds`);
  for (const [name, microseconds] of rows) {
    console.log(`  ${name.padEnd(36)} ${microseconds.toFixed(2).padStart(6)} µs`);
  }
}

type Index = ReturnType<typeof createAccessIndex>;

const CONTAINERS =
  "/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/local/providers" +
  "/Svc.Storage/storageAccounts/devstoreaccount1/blobServices/default/containers";

function filled(principalOf: (at: number) => string): Index {
  const role = compileRole([ROLE]);
  const groups = Array.from({ length: 20 }, (_, at) => `principal${at}`);
  const index = createAccessIndex({
    groupsOf: (id) => (id === "member" ? groups : []),
    principalExists: () => true,
    findRole: () => role,
  });
  for (let at = 0; at < ASSIGNMENTS; at += 1) {
    const scope = `${CONTAINERS}/c${at}`;
    const principalObjectId = principalOf(at);
    index.add({ id: String(at), principalObjectId, roleDefinitionId: "role", scope });
  }
  return index;
}

function time({ decide }: Index, objectId: string, operation: string, container: string): number {
  const caller: Caller = { objectId, kind: "User", tenantId: "t", scheme: "bearer" };
  const action = `Svc.Storage/storageAccounts/blobServices/containers/${operation}`;
  const request = { action, scope: `${CONTAINERS}/${container}`, plane: "data" } as const;
  const expected = container !== "none";
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (let count = 0; count < DECISIONS; count += 1) {
      if (decide(caller, request) !== expected) throw new Error("A wrong decision is no figure.");
    }
    return ((performance.now() - startedAt) * 1000) / DECISIONS;
  });
  return rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

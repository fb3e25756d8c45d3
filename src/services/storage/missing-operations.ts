import type { Shape } from "./operations.ts";

const CONTAINER: readonly (readonly [name: string, methods: string, comp: string])[] = [
  ["Blob Batch", "POST", "batch"],
  ["Restore Container", "PUT", "undelete"],
  ["Rename Container", "PUT", "rename"],
];

const BLOB: readonly (readonly [name: string, methods: string, comp: string])[] = [
  ["Undelete Blob", "PUT", "undelete"],
  ["Set Blob Expiry", "PUT", "expiry"],
  ["Set Blob Legal Hold", "PUT", "legalhold"],
  ["Set Blob Immutability Policy", "PUT", "immutabilitypolicies"],
  ["Delete Blob Immutability Policy", "DELETE", "immutabilitypolicies"],
  ["Query Blob Contents", "POST", "query"],
];

/** Operations of the protocol that are not there yet; they are refused by name. */
export const MISSING_OPERATIONS: readonly Shape[] = [
  { name: "Blob Batch", level: "account", method: "POST", comp: "batch" },
  ...CONTAINER.flatMap(([name, methods, comp]) =>
    methods.split(" ").map((method): Shape => {
      return { name, level: "container", restype: "container", method, comp };
    }),
  ),
  ...BLOB.flatMap(([name, methods, comp]) =>
    methods.split(" ").map((method): Shape => ({ name, level: "blob", method, comp })),
  ),
];

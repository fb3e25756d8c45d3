import type { Shape } from "./operations.ts";

const ACCOUNT: readonly (readonly [
  name: string,
  method: string,
  comp: string,
  restype?: string,
])[] = [
  ["List Containers", "GET", "list"],
  ["Get Blob Service Properties", "GET", "properties", "service"],
  ["Set Blob Service Properties", "PUT", "properties", "service"],
  ["Get Blob Service Stats", "GET", "stats", "service"],
  ["Get User Delegation Key", "POST", "userdelegationkey", "service"],
  ["Get Account Information", "GET", "properties", "account"],
  ["Get Account Information", "HEAD", "properties", "account"],
  ["Find Blobs by Tags", "GET", "blobs"],
  ["Blob Batch", "POST", "batch"],
];

const CONTAINER: readonly (readonly [name: string, methods: string, comp: string])[] = [
  ["List Blobs", "GET", "list"],
  ["Find Blobs by Tags", "GET", "blobs"],
  ["Blob Batch", "POST", "batch"],
  ["Get Container ACL", "GET HEAD", "acl"],
  ["Set Container ACL", "PUT", "acl"],
  ["Restore Container", "PUT", "undelete"],
  ["Rename Container", "PUT", "rename"],
];

const BLOB: readonly (readonly [name: string, methods: string, comp: string])[] = [
  ["Put Block", "PUT", "block"],
  ["Put Block List", "PUT", "blocklist"],
  ["Get Block List", "GET", "blocklist"],
  ["Put Page", "PUT", "page"],
  ["Get Page Ranges", "GET", "pagelist"],
  ["Snapshot Blob", "PUT", "snapshot"],
  ["Abort Copy Blob", "PUT", "copy"],
  ["Incremental Copy Blob", "PUT", "incrementalcopy"],
  ["Set Blob Tier", "PUT", "tier"],
  ["Get Blob Tags", "GET", "tags"],
  ["Set Blob Tags", "PUT", "tags"],
  ["Undelete Blob", "PUT", "undelete"],
  ["Set Blob Expiry", "PUT", "expiry"],
  ["Set Blob Legal Hold", "PUT", "legalhold"],
  ["Set Blob Immutability Policy", "PUT", "immutabilitypolicies"],
  ["Delete Blob Immutability Policy", "DELETE", "immutabilitypolicies"],
  ["Query Blob Contents", "POST", "query"],
];

/** Operations of the protocol that are not there yet; they are refused by name. */
export const MISSING_OPERATIONS: readonly Shape[] = [
  { name: "Copy Blob and Put Blob From URL", level: "blob", method: "PUT", copySource: true },
  ...ACCOUNT.map(([name, method, comp, restype]): Shape => {
    const level = "account";
    return restype === undefined
      ? { name, level, method, comp }
      : { name, level, method, comp, restype };
  }),
  ...CONTAINER.flatMap(([name, methods, comp]) =>
    methods.split(" ").map((method): Shape => {
      return { name, level: "container", restype: "container", method, comp };
    }),
  ),
  ...BLOB.flatMap(([name, methods, comp]) =>
    methods.split(" ").map((method): Shape => ({ name, level: "blob", method, comp })),
  ),
];

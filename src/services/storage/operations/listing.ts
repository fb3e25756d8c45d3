import type { Need } from "../access/rights.ts";
import { listBlobs } from "../listing/list-blobs.ts";
import { listContainers } from "../listing/list-containers.ts";
import type { Operation } from "../operations.ts";

const NEEDS = {
  listBlobs: {
    letters: "l",
    resource: "c",
    byContainerSignature: true,
    plane: "data",
    actions: ["blobs/read"],
    publicAccess: ["container"],
  },
  listContainers: {
    letters: "l",
    resource: "s",
    plane: "control",
    actions: ["read"],
    publicAccess: [],
  },
} as const satisfies Record<string, Need>;

export const LIST_OPERATIONS: readonly Operation[] = [
  {
    name: "List Blobs",
    level: "container",
    restype: "container",
    comp: "list",
    method: "GET",
    need: NEEDS.listBlobs,
    run: listBlobs,
  },
  {
    name: "List Containers",
    level: "account",
    comp: "list",
    method: "GET",
    need: NEEDS.listContainers,
    run: listContainers,
  },
];

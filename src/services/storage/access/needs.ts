import type { Need } from "./rights.ts";

/** Whoever may delete may break a lease; the other actions on it are writes. */
const BUT_TO_BREAK = {
  container: { letter: "w", action: "write" },
  blob: { letter: "w", action: "blobs/write" },
};

/** What each kind of operation demands. */
export const NEEDS = {
  createContainer: {
    letters: "cw",
    resource: "c",
    plane: "control",
    actions: ["write"],
    publicAccess: [],
  },
  readContainer: {
    letters: "r",
    resource: "c",
    plane: "control",
    actions: ["read"],
    publicAccess: ["container"],
  },
  writeContainer: {
    letters: "w",
    resource: "c",
    plane: "control",
    actions: ["write"],
    publicAccess: [],
  },
  leaseContainer: {
    letters: "wd",
    resource: "c",
    plane: "control",
    actions: ["write"],
    publicAccess: [],
    overwrite: BUT_TO_BREAK.container,
  },
  deleteContainer: {
    letters: "d",
    resource: "c",
    plane: "control",
    actions: ["delete"],
    publicAccess: [],
  },
  readBlob: {
    letters: "r",
    resource: "o",
    plane: "data",
    actions: ["blobs/read"],
    publicAccess: ["blob", "container"],
  },
  createBlob: {
    letters: "cw",
    resource: "o",
    plane: "data",
    actions: ["blobs/write", "blobs/add/action"],
    publicAccess: [],
    overwrite: { letter: "w", action: "blobs/write" },
  },
  appendBlob: {
    letters: "aw",
    resource: "o",
    plane: "data",
    actions: ["blobs/add/action", "blobs/write"],
    publicAccess: [],
  },
  writeBlob: {
    letters: "w",
    resource: "o",
    plane: "data",
    actions: ["blobs/write"],
    publicAccess: [],
  },
  readTags: {
    letters: "t",
    resource: "o",
    plane: "data",
    actions: ["blobs/tags/read"],
    publicAccess: [],
  },
  writeTags: {
    letters: "t",
    resource: "o",
    plane: "data",
    actions: ["blobs/tags/write"],
    publicAccess: [],
  },
  findBlobs: {
    letters: "f",
    resource: "s",
    plane: "data",
    actions: ["blobs/filter/action"],
    publicAccess: [],
  },
  findBlobsInContainer: {
    letters: "f",
    resource: "c",
    byContainerSignature: true,
    plane: "data",
    actions: ["blobs/filter/action"],
    publicAccess: [],
  },
  leaseBlob: {
    letters: "wd",
    resource: "o",
    plane: "data",
    actions: ["blobs/write"],
    publicAccess: [],
    overwrite: BUT_TO_BREAK.blob,
  },
  deleteBlob: {
    letters: "d",
    resource: "o",
    plane: "data",
    actions: ["blobs/delete"],
    publicAccess: [],
  },
} as const satisfies Record<string, Need>;

/** What some headers demand beside the operation that they come with. */
export const HEADER_NEEDS: readonly (readonly [string, Need])[] = [
  ["x-svc-if-tags", NEEDS.readTags],
  ["x-svc-tags", NEEDS.writeTags],
  ["x-svc-copy-source-tag-option", NEEDS.writeTags],
];

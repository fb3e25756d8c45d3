import { NEEDS } from "../access/needs.ts";
import { getBlockList } from "../block-blobs/get-block-list.ts";
import { putBlockFromUrl } from "../block-blobs/put-block-from-url.ts";
import { putBlockList } from "../block-blobs/put-block-list.ts";
import { putBlock } from "../block-blobs/put-block.ts";
import { abortCopy } from "../copy/abort-copy.ts";
import { copyOrPutFromUrl } from "../copy/copy-blob.ts";
import { snapshotBlob } from "../snapshots/snapshot-blob.ts";
import type { Operation } from "../operations.ts";

const block = { level: "blob", method: "PUT", comp: "block" } as const;
const list = { level: "blob", comp: "blocklist" } as const;

/** Block lists, copies and snapshots. */
export const BLOCK_BLOB_OPERATIONS: readonly Operation[] = [
  { name: "Put Block", ...block, copySource: false, need: NEEDS.createBlob, run: putBlock },
  {
    name: "Put Block From URL",
    ...block,
    copySource: true,
    need: NEEDS.createBlob,
    run: putBlockFromUrl,
  },
  { name: "Put Block List", ...list, method: "PUT", need: NEEDS.createBlob, run: putBlockList },
  { name: "Get Block List", ...list, method: "GET", need: NEEDS.readBlob, run: getBlockList },
  {
    name: "Copy Blob, Copy Blob From URL and Put Blob From URL",
    level: "blob",
    method: "PUT",
    copySource: true,
    need: NEEDS.createBlob,
    run: copyOrPutFromUrl,
  },
  {
    name: "Abort Copy Blob",
    level: "blob",
    method: "PUT",
    comp: "copy",
    need: NEEDS.writeBlob,
    run: abortCopy,
  },
  {
    name: "Snapshot Blob",
    level: "blob",
    method: "PUT",
    comp: "snapshot",
    need: NEEDS.createBlob,
    run: snapshotBlob,
  },
];

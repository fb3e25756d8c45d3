import { NEEDS } from "../access/needs.ts";
import type { Operation } from "../operations.ts";
import { getPageRanges } from "../page-blobs/get-page-ranges.ts";
import { incrementalCopy } from "../page-blobs/incremental-copy.ts";
import { putPageFromUrl } from "../page-blobs/put-page-from-url.ts";
import { putPage } from "../page-blobs/put-page.ts";

const page = { level: "blob", method: "PUT", comp: "page" } as const;

export const PAGE_BLOB_OPERATIONS: readonly Operation[] = [
  { name: "Put Page", ...page, copySource: false, need: NEEDS.writeBlob, run: putPage },
  {
    name: "Put Page From URL",
    ...page,
    copySource: true,
    need: NEEDS.writeBlob,
    run: putPageFromUrl,
  },
  {
    name: "Incremental Copy Blob",
    level: "blob",
    method: "PUT",
    comp: "incrementalcopy",
    need: NEEDS.writeBlob,
    run: incrementalCopy,
  },
  {
    name: "Get Page Ranges",
    level: "blob",
    method: "GET",
    comp: "pagelist",
    need: NEEDS.readBlob,
    run: getPageRanges,
  },
];

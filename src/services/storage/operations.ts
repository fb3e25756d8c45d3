import { NEEDS } from "./access/needs.ts";
import type { Need } from "./access/rights.ts";
import type { Target } from "./access/target.ts";
import { appendBlockFromUrl } from "./append-blobs/append-block-from-url.ts";
import { appendBlock } from "./append-blobs/append-block.ts";
import { deleteBlob } from "./blobs/delete-blob.ts";
import { getBlob, getBlobProperties } from "./blobs/get-blob.ts";
import { putBlob } from "./blobs/put-blob.ts";
import type { Answer, Call } from "./call.ts";
import {
  createContainer,
  deleteContainer,
  getContainerProperties,
} from "./containers/containers.ts";
import type { Context } from "./context.ts";
import { leaseBlob, leaseContainer } from "./leases/lease-operations.ts";
import { ACCOUNT_OPERATIONS } from "./operations/account.ts";
import { BLOCK_BLOB_OPERATIONS } from "./operations/block-blobs.ts";
import { LIST_OPERATIONS } from "./operations/listing.ts";
import { PAGE_BLOB_OPERATIONS } from "./operations/page-blobs.ts";
import { PROPERTY_OPERATIONS } from "./operations/properties.ts";

type Level = "account" | "blob" | "container";

/** A request is told apart by what it names, its method and these two parameters. */
export interface Shape {
  readonly name: string;
  readonly level: Level;
  readonly method: string;
  readonly restype?: string;
  readonly comp?: string;
  /** Whether `x-svc-copy-source` makes it this operation (or, if false, another one). */
  readonly copySource?: boolean;
}

export interface Operation extends Shape {
  readonly need: Need;
  readonly run: (context: Context, call: Call) => Promise<Answer>;
}

const container = { level: "container", restype: "container" } as const;
const blob = { level: "blob" } as const;

export const OPERATIONS: readonly Operation[] = [
  {
    name: "Create Container",
    ...container,
    method: "PUT",
    need: NEEDS.createContainer,
    run: createContainer,
  },
  {
    name: "Lease Container",
    ...container,
    method: "PUT",
    comp: "lease",
    need: NEEDS.leaseContainer,
    run: leaseContainer,
  },
  ...ACCOUNT_OPERATIONS,
  ...LIST_OPERATIONS,
  ...PROPERTY_OPERATIONS,
  ...BLOCK_BLOB_OPERATIONS,
  ...PAGE_BLOB_OPERATIONS,
  containerProperties("GET"),
  containerProperties("HEAD"),
  {
    name: "Delete Container",
    ...container,
    method: "DELETE",
    need: NEEDS.deleteContainer,
    run: deleteContainer,
  },
  {
    name: "Put Blob",
    ...blob,
    method: "PUT",
    copySource: false,
    need: NEEDS.createBlob,
    run: putBlob,
  },
  { name: "Get Blob", ...blob, method: "GET", need: NEEDS.readBlob, run: getBlob },
  {
    name: "Get Blob Properties",
    ...blob,
    method: "HEAD",
    need: NEEDS.readBlob,
    run: getBlobProperties,
  },
  { name: "Delete Blob", ...blob, method: "DELETE", need: NEEDS.deleteBlob, run: deleteBlob },
  {
    name: "Lease Blob",
    ...blob,
    method: "PUT",
    comp: "lease",
    need: NEEDS.leaseBlob,
    run: leaseBlob,
  },
  {
    name: "Append Block",
    ...blob,
    method: "PUT",
    comp: "appendblock",
    copySource: false,
    need: NEEDS.appendBlob,
    run: appendBlock,
  },
  {
    name: "Append Block From URL",
    ...blob,
    method: "PUT",
    comp: "appendblock",
    copySource: true,
    need: NEEDS.appendBlob,
    run: appendBlockFromUrl,
  },
];

function containerProperties(method: string): Operation {
  const name = "Get Container Properties";
  const need = NEEDS.readContainer;
  return { name, ...container, method, need, run: getContainerProperties };
}

/** The first of the shapes that a request has. */
export function findShape<Kind extends Shape>(
  shapes: readonly Kind[],
  method: string,
  target: Target,
  hasCopySource: boolean,
): Kind | undefined {
  const level = levelOf(target);
  const comp = target.query.get("comp")?.toLowerCase();
  const restype = target.query.get("restype")?.toLowerCase();
  return shapes.find(
    (shape) =>
      shape.level === level &&
      shape.method === method &&
      shape.comp === comp &&
      shape.restype === restype &&
      (shape.copySource ?? hasCopySource) === hasCopySource,
  );
}

function levelOf(target: Target): Level {
  if (target.blob !== "") return "blob";
  return target.container === "" ? "account" : "container";
}

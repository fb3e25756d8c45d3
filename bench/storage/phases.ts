import { randomBytes } from "node:crypto";
import type { Answer, Connection } from "../support/connection.ts";
import { signed } from "../support/shared-key.ts";
import { LISTED_BLOBS, prepareListing } from "./listing.ts";
import {
  at,
  block,
  blockBlob,
  createAppendBlobs,
  createContainer,
  newName,
  pathOf,
  sendOnce,
  sourceInStore,
  type Target,
} from "./prepare.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** So that no server profits from seeing the same block again and again. */
const PAYLOADS = 64;
/** Bounds what one phase leaves on the disk, whatever the speed. */
const PHASE_BYTES_MAX = 512 * MIB;
const REQUESTS_MIN = 8;

/** The source of from-URL appends, at both places: long enough for the largest range. */
export const sourceContent = randomBytes(4 * MIB);

/** One request of a phase; `connection` is the `worker`-th of the phase. */
export type Work = (connection: Connection, worker: number) => Promise<Answer>;

export interface Phase {
  readonly name: string;
  readonly connections: number;
  /** Content that each request moves. */
  readonly bytes: number;
  readonly requestsMax: number;
  /** What a second counts, when it is not requests or bytes. */
  readonly unit?: { readonly name: string; readonly perRequest: number };
  readonly status: number;
  /** Also against a bare HTTP server, which shows what HTTP alone costs. */
  readonly withBare: boolean;
  /** Creates what the phase works on, new each time, and signs its requests. */
  readonly prepare: (target: Target) => Promise<Work>;
}

export const phases: readonly Phase[] = [
  append("append 4 KiB, 1 connection", 1),
  append("append 4 KiB, 16 connections", 16),
  put("put 4 MiB", 4 * MIB),
  put("put 64 MiB", 64 * MIB),
  get("get 4 MiB", 4 * MIB),
  get("get 64 MiB", 64 * MIB),
  appendFromUrl("from URL 4 KiB, same store", 4 * KIB, sourceInStore),
  appendFromUrl("from URL 4 MiB, same store", 4 * MIB, sourceInStore),
  appendFromUrl("from URL 100 MiB, same store", 100 * MIB, sourceInStore),
  appendFromUrl("from URL 4 KiB, other host", 4 * KIB, ({ foreignUrl }) => foreignUrl),
  appendFromUrl("from URL 4 MiB, other host", 4 * MIB, ({ foreignUrl }) => foreignUrl),
  list("list 10,000 blobs, 2 pages"),
];

function append(name: string, connections: number): Phase {
  return {
    ...defaults(name, 4 * KIB),
    connections,
    withBare: true,
    async prepare(target) {
      const blobs = await createAppendBlobs(target, connections);
      const requests = blobs.map((blob) => signed(target.account, block(target, blob, 4 * KIB)));
      const payloads = Array.from({ length: PAYLOADS }, () => randomBytes(4 * KIB));
      let sent = 0;
      return (connection, worker) => {
        sent += 1;
        return connection.send(at(requests, worker), at(payloads, sent % PAYLOADS));
      };
    },
  };
}

function put(name: string, bytes: number): Phase {
  return {
    ...defaults(name, bytes),
    async prepare(target) {
      await createContainer(target);
      const body = randomBytes(bytes);
      const request = signed(target.account, blockBlob(target, newName(), bytes));
      return (connection) => connection.send(request, body);
    },
  };
}

function get(name: string, bytes: number): Phase {
  return {
    ...defaults(name, bytes),
    requestsMax: Infinity,
    status: 200,
    async prepare(target) {
      await createContainer(target);
      const blob = newName();
      await sendOnce(target, blockBlob(target, blob, bytes), randomBytes(bytes));
      const path = pathOf(target, blob);
      const request = signed(target.account, { method: "GET", path, headers: {} });
      return (connection) => connection.measure(request);
    },
  };
}

function appendFromUrl(name: string, bytes: number, sourceOf: (target: Target) => string): Phase {
  return {
    ...defaults(name, bytes),
    async prepare(target) {
      const blobs = await createAppendBlobs(target, 1);
      const content = bytes > sourceContent.length ? randomBytes(bytes) : sourceContent;
      const source = blockBlob(target, "source.bin", content.length);
      await sendOnce(target, source, content);
      const { headers, ...request } = block(target, at(blobs, 0), 0);
      const fromUrl = signed(target.account, {
        ...request,
        headers: {
          ...headers,
          "x-ms-copy-source": sourceOf(target),
          "x-ms-source-range": `bytes=0-${bytes - 1}`,
        },
      });
      return (connection) => connection.send(fromUrl);
    },
  };
}

function list(name: string): Phase {
  const unit = { name: "blobs", perRequest: LISTED_BLOBS };
  return {
    ...defaults(name, 0),
    requestsMax: Infinity,
    unit,
    status: 200,
    prepare: prepareListing,
  };
}

function defaults(name: string, bytes: number) {
  // Bytes that a store shares cost it nothing, so large ones are sent a few times all the same.
  const requestsMax = Math.max(Math.ceil(PHASE_BYTES_MAX / bytes), REQUESTS_MIN);
  return { name, bytes, requestsMax, connections: 1, status: 201, withBare: false };
}

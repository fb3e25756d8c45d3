import { randomBytes } from "node:crypto";
import {
  expectStatus,
  openConnection,
  type Answer,
  type Connection,
} from "../support/connection.ts";
import { signed, type Account, type BlobRequest } from "../support/shared-key.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const CONTAINER = "bench";
/** So that no server profits from seeing the same block again and again. */
const PAYLOADS = 64;
/** Bounds what one phase leaves on the disk, whatever the speed. */
const PHASE_BYTES_MAX = 512 * MIB;

/** The source of from-URL appends, at both places: long enough for the largest range. */
export const sourceContent = randomBytes(4 * MIB);

/** One server, as a phase sees it. */
export interface Target {
  readonly origin: string;
  readonly account: Account;
  /** Of `sourceContent` on another HTTP server. */
  readonly foreignUrl: string;
}

/** One request of a phase; `connection` is the `worker`-th of the phase. */
export type Work = (connection: Connection, worker: number) => Promise<Answer>;

export interface Phase {
  readonly name: string;
  readonly connections: number;
  /** Content that each request moves. */
  readonly bytes: number;
  readonly requestsMax: number;
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
  appendFromUrl("from URL 4 KiB, other host", 4 * KIB, ({ foreignUrl }) => foreignUrl),
  appendFromUrl("from URL 4 MiB, other host", 4 * MIB, ({ foreignUrl }) => foreignUrl),
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
      const source = blockBlob(target, "source.bin", sourceContent.length);
      await sendOnce(target, source, sourceContent);
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

function defaults(name: string, bytes: number) {
  const requestsMax = Math.ceil(PHASE_BYTES_MAX / bytes);
  return { name, bytes, requestsMax, connections: 1, status: 201, withBare: false };
}

/** The container lets anybody read its blobs, so that the source needs no credentials. */
function sourceInStore({ origin, account }: Target): string {
  return `${origin}/${account.name}/${CONTAINER}/source.bin`;
}

function pathOf({ account }: Target, blob: string): string {
  return `/${account.name}/${CONTAINER}/${blob}`;
}

function block(target: Target, blob: string, length: number): BlobRequest {
  const path = `${pathOf(target, blob)}?comp=appendblock`;
  return { method: "PUT", path, headers: { "content-length": String(length) } };
}

function blockBlob(target: Target, blob: string, length: number): BlobRequest {
  const headers = { "content-length": String(length), "x-ms-blob-type": "BlockBlob" };
  return { method: "PUT", path: pathOf(target, blob), headers };
}

async function createAppendBlobs(target: Target, count: number): Promise<string[]> {
  await createContainer(target);
  const blobs = Array.from({ length: count }, newName);
  const headers = { "content-length": "0", "x-ms-blob-type": "AppendBlob" };
  for (const blob of blobs) {
    await sendOnce(target, { method: "PUT", path: pathOf(target, blob), headers });
  }
  return blobs;
}

async function createContainer(target: Target): Promise<void> {
  const path = `/${target.account.name}/${CONTAINER}?restype=container`;
  const headers = { "content-length": "0", "x-ms-blob-public-access": "blob" };
  await sendOnce(target, { method: "PUT", path, headers }, undefined, [201, 409]);
}

async function sendOnce(
  { origin, account }: Target,
  request: BlobRequest,
  body?: Buffer,
  allowed: readonly number[] = [201],
): Promise<void> {
  const connection = openConnection(origin);
  try {
    const answer = await connection.send(signed(account, request), body);
    if (allowed.includes(answer.status)) return;
    expectStatus(answer, 201, `${request.method} ${request.path}`);
  } finally {
    connection.close();
  }
}

function newName(): string {
  return `blob-${randomBytes(8).toString("hex")}`;
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} of ${items.length}.`);
  return item;
}

import { randomBytes } from "node:crypto";
import { expectStatus, openConnection } from "../support/connection.ts";
import { signed, type Account, type BlobRequest } from "../support/shared-key.ts";

const CONTAINER = "bench";

/** One server, as a phase sees it. */
export interface Target {
  readonly origin: string;
  readonly account: Account;
  /** Of `sourceContent` on another HTTP server. */
  readonly foreignUrl: string;
}

/** The container lets anybody read its blobs, so that the source needs no credentials. */
export function sourceInStore({ origin, account }: Target): string {
  return `${origin}/${account.name}/${CONTAINER}/source.bin`;
}

export function pathOf({ account }: Target, blob: string): string {
  return `/${account.name}/${CONTAINER}/${blob}`;
}

export function block(target: Target, blob: string, length: number): BlobRequest {
  const path = `${pathOf(target, blob)}?comp=appendblock`;
  return { method: "PUT", path, headers: { "content-length": String(length) } };
}

export function blockBlob(target: Target, blob: string, length: number): BlobRequest {
  const headers = { "content-length": String(length), "x-ms-blob-type": "BlockBlob" };
  return { method: "PUT", path: pathOf(target, blob), headers };
}

export async function createAppendBlobs(target: Target, count: number): Promise<string[]> {
  await createContainer(target);
  const blobs = Array.from({ length: count }, newName);
  const headers = { "content-length": "0", "x-ms-blob-type": "AppendBlob" };
  for (const blob of blobs) {
    await sendOnce(target, { method: "PUT", path: pathOf(target, blob), headers });
  }
  return blobs;
}

export async function createContainer(target: Target): Promise<void> {
  const path = `/${target.account.name}/${CONTAINER}?restype=container`;
  const headers = { "content-length": "0", "x-ms-blob-public-access": "blob" };
  await sendOnce(target, { method: "PUT", path, headers }, undefined, [201, 409]);
}

export async function sendOnce(
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

export function newName(): string {
  return `blob-${randomBytes(8).toString("hex")}`;
}

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} of ${items.length}.`);
  return item;
}

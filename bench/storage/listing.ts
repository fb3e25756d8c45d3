import { randomBytes } from "node:crypto";
import { openConnection, type Answer, type Connection } from "../support/connection.ts";
import { signed, type BlobRequest } from "../support/shared-key.ts";
import type { Target } from "./prepare.ts";

/** Blobs in the container that is listed: a hundred in each of a hundred folders. */
export const LISTED_BLOBS = 10_000;
const BLOBS_PER_FOLDER = 100;
const PAGE_BLOBS = 5000;
const WRITERS = 16;
const CONTAINER = "listing";
const BLOB_BYTES = 1024;

/** Servers whose container is filled already; it stays as it is over all rounds. */
const filled = new Set<string>();

/** Lists all blobs, page by page; one operation is the whole of them. */
export async function prepareListing(target: Target) {
  if (!filled.has(target.origin)) await fill(target);
  filled.add(target.origin);
  return (connection: Connection) => listAll(target, connection);
}

async function listAll(target: Target, connection: Connection): Promise<Answer> {
  let marker = "";
  for (let seen = 0; ;) {
    const path =
      `/${target.account.name}/${CONTAINER}?restype=container&comp=list` +
      `&maxresults=${PAGE_BLOBS}${marker === "" ? "" : `&marker=${encodeURIComponent(marker)}`}`;
    const answer = await connection.send(
      signed(target.account, { method: "GET", path, headers: {} }),
    );
    const text = answer.body.toString("utf8");
    seen += text.split("<Name>").length - 1;
    marker = /<NextMarker>([^<]+)<\/NextMarker>/.exec(text)?.[1] ?? "";
    if (marker !== "" && answer.status === 200) continue;
    if (seen === LISTED_BLOBS || answer.status !== 200) return answer;
    throw new Error(`The listing shows ${seen} blobs, not ${LISTED_BLOBS}.`);
  }
}

async function fill(target: Target): Promise<void> {
  const { origin, account } = target;
  const connections = Array.from({ length: WRITERS }, () => openConnection(origin));
  const put = async (connection: Connection, request: BlobRequest, body?: Buffer) => {
    const { status } = await connection.send(signed(account, request), body);
    if (status !== 201) throw new Error(`PUT ${request.path} was answered ${status}.`);
  };
  const folder = `/${account.name}/${CONTAINER}`;
  const [first] = connections;
  const headers = { "content-length": "0" };
  if (first === undefined) throw new RangeError("There is no connection.");
  await put(first, { method: "PUT", path: `${folder}?restype=container`, headers });
  const body = randomBytes(BLOB_BYTES);
  const blobHeaders = { "content-length": String(BLOB_BYTES), "x-ms-blob-type": "BlockBlob" };
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < LISTED_BLOBS) {
        const path = `${folder}/${nameOf(next++)}`;
        await put(connection, { method: "PUT", path, headers: blobHeaders }, body);
      }
      connection.close();
    }),
  );
}

function nameOf(index: number): string {
  const inFolder = String(Math.floor(index / BLOBS_PER_FOLDER)).padStart(3, "0");
  return `dir${inFolder}/blob-${String(index).padStart(6, "0")}.txt`;
}

import { createHash } from "node:crypto";
import { expectStatus, openConnection, type Connection } from "../../bench/support/connection.ts";
import { signed, type BlobRequest } from "../../bench/support/shared-key.ts";
import { bytesIn, contentOf, RUN_BYTES, sourceContent, type Block } from "./blocks.ts";
import type { Server } from "./server.ts";

export const CONTAINER = "crash";
const SOURCE = "source.bin";
/** Blobs whose names begin so are written and read with a customer's key. */
export const ENCRYPTED = "encrypted";
const KEY = Buffer.alloc(32, 7);
const KEY_HEADERS = {
  "x-ms-encryption-key": KEY.toString("base64"),
  "x-ms-encryption-key-sha256": createHash("sha256").update(KEY).digest("base64"),
  "x-ms-encryption-algorithm": "AES256",
};

/** Where the server says a block went. */
export interface Place {
  readonly offset: number;
  /** Blocks in the blob, this one included. */
  readonly count: number;
}

export interface Properties {
  readonly length: number;
  readonly count: number;
  readonly etag: string;
}

/** A connection of its own, with the few requests that this test makes. */
export interface StoreClient {
  readonly createContainer: () => Promise<void>;
  readonly createAppendBlob: (blob: string) => Promise<void>;
  /** `position`: append only if the blob ends there. Rejects when the server is gone. */
  readonly append: (blob: string, block: Block, position?: number) => Promise<Place>;
  /** Undefined when there is no such blob. */
  readonly properties: (blob: string) => Promise<Properties | undefined>;
  /** Bytes from `start` to, but without, `end`. */
  readonly read: (blob: string, start: number, end: number) => Promise<ReadAnswer>;
  readonly close: () => void;
}

export interface ReadAnswer {
  readonly content: Buffer;
  readonly etag: string;
  /** Of the whole blob. */
  readonly length: number;
}

export function openStoreClient(server: Server): StoreClient {
  const connection = openConnection(server.origin);
  const path = (blob: string) => `/${server.account.name}/${CONTAINER}/${blob}`;

  function send(request: BlobRequest, body?: Buffer) {
    const isEncrypted = request.path.startsWith(path(ENCRYPTED));
    const headers = { ...request.headers, ...(isEncrypted && KEY_HEADERS) };
    return connection.send(signed(server.account, { ...request, headers }), body);
  }

  async function ask(request: BlobRequest, status: number, body?: Buffer) {
    const answer = await send(request, body);
    return expectStatus(answer, status, `${request.method} ${request.path}`);
  }

  return {
    createContainer: () => createContainer(server, ask, path(SOURCE)),
    async createAppendBlob(blob) {
      const headers = { "content-length": "0", "x-ms-blob-type": "AppendBlob" };
      await ask({ method: "PUT", path: path(blob), headers }, 201);
    },
    async append(blob, block, position) {
      const source = `${server.origin}${path(SOURCE)}`;
      const request = appendRequest(block, source, position);
      const body = block.kind === "record" ? contentOf(blob, block) : undefined;
      const whole = { ...request, path: `${path(blob)}?comp=appendblock` };
      const { headers } = await ask(whole, 201, body);
      return {
        offset: Number(headers["x-ms-blob-append-offset"]),
        count: Number(headers["x-ms-blob-committed-block-count"]),
      };
    },
    async properties(blob) {
      const request = { method: "HEAD", path: path(blob), headers: {} } as const;
      const answer = await send(request);
      if (answer.status === 404) return undefined;
      const { headers } = expectStatus(answer, 200, `HEAD ${blob}`);
      return {
        length: Number(headers["content-length"]),
        count: Number(headers["x-ms-blob-committed-block-count"]),
        etag: headers.etag ?? "",
      };
    },
    async read(blob, start, end) {
      const range = { "x-ms-range": `bytes=${start}-${end - 1}` };
      const answer = await ask({ method: "GET", path: path(blob), headers: range }, 206);
      const [, whole] = String(answer.headers["content-range"]).split("/");
      return { content: answer.body, etag: answer.headers.etag ?? "", length: Number(whole) };
    },
    close: connection.close,
  };
}

type Ask = (request: BlobRequest, status: number, body?: Buffer) => ReturnType<Connection["send"]>;

/** Its blobs can be read by anybody, so that the source needs no credentials. */
async function createContainer({ account }: Server, ask: Ask, source: string): Promise<void> {
  const container = `/${account.name}/${CONTAINER}?restype=container`;
  const isPublic = { "content-length": "0", "x-ms-blob-public-access": "blob" };
  await ask({ method: "PUT", path: container, headers: isPublic }, 201);
  const content = sourceContent();
  const headers = { "content-length": String(content.length), "x-ms-blob-type": "BlockBlob" };
  await ask({ method: "PUT", path: source, headers }, 201, content);
}

function appendRequest(block: Block, source: string, position: number | undefined) {
  const start = block.number * RUN_BYTES;
  const headers: Record<string, string> = {
    "content-length": block.kind === "run" ? "0" : String(bytesIn(block)),
    ...(block.kind === "run" && {
      "x-ms-copy-source": source,
      "x-ms-source-range": `bytes=${start}-${start + RUN_BYTES - 1}`,
    }),
    ...(position !== undefined && { "x-ms-blob-condition-appendpos": String(position) }),
  };
  return { method: "PUT", headers } as const;
}

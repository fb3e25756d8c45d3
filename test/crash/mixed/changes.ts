import { randomBytes, randomUUID } from "node:crypto";
import { newContent, NOTHING, oneOf, type BlobState } from "./state.ts";

/** A request, and what it makes of the blob once it is acknowledged. */
export interface Attempt {
  readonly name: string;
  readonly method: "DELETE" | "PUT";
  /** Behind the blob's path, with the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  readonly after: BlobState;
}

type Change = (state: BlobState, source: Source) => Attempt;

/** Another blob, to copy from. */
export interface Source {
  readonly url: string;
  readonly state: BlobState;
}

const EMPTY = Buffer.alloc(0);
const ID_BYTES = 6;

/** Something that can be done to a blob in this state. */
export function anyChange(state: BlobState, source: Source): Attempt {
  const changes: Change[] = [put, put, stage, stage];
  if (state.waiting.length > 0) changes.push(commit, commit);
  if (source.state.content !== undefined) changes.push(copy);
  if (state.content !== undefined) changes.push(remove, setMetadata, setTag, lease);
  return oneOf(changes)(state, source);
}

/** A request with what every one has: its length, and the lease that is held. */
export function attempt(
  state: BlobState,
  { headers = {}, ...given }: Pick<Attempt, "after" | "name" | "status"> & Partial<Attempt>,
): Attempt {
  const { body = EMPTY } = given;
  const holder = state.lease === undefined ? {} : { "x-ms-lease-id": state.lease };
  const length = String(body.length);
  const all = { "content-length": length, ...holder, ...headers };
  return { method: "PUT", query: "", ...given, body, headers: all };
}

/** What replaces the content drops tags and the blocks that wait; a lease stays. */
function replaced({ lease: held }: BlobState, content: Buffer, metadata?: string): BlobState {
  return { content, metadata, tag: undefined, lease: held, waiting: [] };
}

function put(state: BlobState): Attempt {
  const body = newContent();
  const headers = { "x-ms-blob-type": "BlockBlob" };
  return attempt(state, {
    name: "Put Blob",
    headers,
    body,
    status: 201,
    after: replaced(state, body),
  });
}

function stage(state: BlobState): Attempt {
  const id = randomBytes(ID_BYTES).toString("base64");
  const body = newContent();
  const waiting = [...state.waiting, { id, content: body }];
  const query = `?comp=block&blockid=${encodeURIComponent(id)}`;
  return attempt(state, {
    name: "Put Block",
    query,
    body,
    status: 201,
    after: { ...state, waiting },
  });
}

function commit(state: BlobState): Attempt {
  const ids = state.waiting.map(({ id }) => `<Uncommitted>${id}</Uncommitted>`).join("");
  const after = replaced(state, Buffer.concat(state.waiting.map(({ content }) => content)));
  const body = Buffer.from(`<BlockList>${ids}</BlockList>`);
  return attempt(state, {
    name: "Put Block List",
    query: "?comp=blocklist",
    body,
    status: 201,
    after,
  });
}

function copy(state: BlobState, { url, state: { content, metadata } }: Source): Attempt {
  const after = replaced(state, content ?? EMPTY, metadata);
  const headers = { "x-ms-copy-source": url };
  return attempt(state, { name: "Copy Blob", headers, status: 202, after });
}

export function remove(state: BlobState): Attempt {
  return attempt(state, { name: "Delete Blob", method: "DELETE", status: 202, after: NOTHING });
}

export function setMetadata(state: BlobState): Attempt {
  const metadata = randomUUID();
  const headers = { "x-ms-meta-v": metadata };
  const after = { ...state, metadata };
  return attempt(state, {
    name: "Set Blob Metadata",
    query: "?comp=metadata",
    headers,
    status: 200,
    after,
  });
}

export function setTag(state: BlobState): Attempt {
  const tag = randomUUID();
  const body = Buffer.from(
    `<Tags><TagSet><Tag><Key>v</Key><Value>${tag}</Value></Tag></TagSet></Tags>`,
  );
  const after = { ...state, tag };
  return attempt(state, {
    name: "Set Blob Tags",
    query: "?comp=tags",
    body,
    status: 204,
    after,
  });
}

/** Takes the lease, or gives it back. */
export function lease(state: BlobState): Attempt {
  const query = "?comp=lease";
  if (state.lease !== undefined) {
    const headers = { "x-ms-lease-action": "release" };
    const after = { ...state, lease: undefined };
    return attempt(state, { name: "Release Lease", query, headers, status: 200, after });
  }
  const id = randomUUID();
  const headers = {
    "x-ms-lease-action": "acquire",
    "x-ms-lease-duration": "-1",
    "x-ms-proposed-lease-id": id,
  };
  const after = { ...state, lease: id };
  return attempt(state, { name: "Acquire Lease", query, headers, status: 201, after });
}

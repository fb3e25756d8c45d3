import { randomBytes } from "node:crypto";
import { attempt, lease, remove, setMetadata, setTag, type Attempt } from "./changes.ts";
import { oneOf, type BlobState } from "./state.ts";

const PAGE_BYTES = 512;
const PAGES = [1, 8, 100];

/** Something that can be done to a page blob in this state, or the making of one. */
export function anyPageChange(state: BlobState): Attempt {
  if (state.content === undefined) return create(state);
  const changes = [
    update,
    update,
    update,
    clear,
    resize,
    create,
    remove,
    setMetadata,
    setTag,
    lease,
  ];
  return oneOf(changes)(state);
}

function create(state: BlobState): Attempt {
  const content = Buffer.alloc(oneOf(PAGES) * PAGE_BYTES);
  const headers = {
    "x-ms-blob-type": "PageBlob",
    "x-ms-blob-content-length": String(content.length),
  };
  const unset = { metadata: undefined, tag: undefined, waiting: [] };
  const after = { content, lease: state.lease, ...unset };
  return attempt(state, { name: "Put Blob", headers, status: 201, after });
}

function update(state: BlobState): Attempt {
  const { content, start, end } = someRange(state);
  const body = randomBytes(end - start);
  body.copy(content, start);
  return putPage(state, { name: "Put Page", write: "update", start, end, body, content });
}

function clear(state: BlobState): Attempt {
  const { content, start, end } = someRange(state);
  content.fill(0, start, end);
  const body = Buffer.alloc(0);
  return putPage(state, { name: "Clear Page", write: "clear", start, end, body, content });
}

interface PageWrite {
  readonly name: string;
  readonly write: "clear" | "update";
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
  readonly body: Buffer;
  /** All of the blob, afterwards. */
  readonly content: Buffer;
}

function putPage(state: BlobState, { name, write, start, end, body, content }: PageWrite): Attempt {
  const headers = { "x-ms-page-write": write, "x-ms-range": `bytes=${start}-${end - 1}` };
  const after = { ...state, content };
  return attempt(state, { name, query: "?comp=page", headers, body, status: 201, after });
}

function resize(state: BlobState): Attempt {
  const length = oneOf(PAGES) * PAGE_BYTES;
  const content = Buffer.alloc(length);
  state.content?.copy(content);
  const headers = { "x-ms-blob-content-length": String(length) };
  const query = "?comp=properties";
  const after = { ...state, content };
  return attempt(state, { name: "Resize", query, headers, status: 200, after });
}

/** A copy of the content, and where some of its pages begin and end. */
function someRange(state: BlobState) {
  const content = Buffer.from(state.content ?? []);
  const pages = content.length / PAGE_BYTES;
  const first = Math.floor(Math.random() * pages);
  const count = 1 + Math.floor(Math.random() * (pages - first));
  return { content, start: first * PAGE_BYTES, end: (first + count) * PAGE_BYTES };
}

import { Readable } from "node:stream";
import { Problem } from "#platform/problem.ts";
import { crc64 } from "#engines/blocks/crc64.ts";
import { createHash } from "node:crypto";
import { collectBytes } from "../blobs/body.ts";
import type { Call } from "../call.ts";
import { contentLength, tooLarge } from "../protocol/header-values.ts";
import { invalidXml, parseXml } from "../protocol/xml-body.ts";
import { requireBlockId } from "./block-id.ts";

/** Blocks of a blob. */
const LIST_MAX = 50_000;
/** Enough for a list of that length with ids of any length. */
const BODY_MAX = 16 * 2 ** 20;
const SOURCES: ReadonlySet<string> = new Set(["Committed", "Latest", "Uncommitted"]);

/** One line of a block list: a block, and where it is looked for. */
export interface ListedBlock {
  readonly from: string;
  readonly blockId: string;
}

/** The body of a block list with its checksums. */
export interface BlockListBody {
  readonly blocks: readonly ListedBlock[];
  readonly md5: Uint8Array;
  readonly crc64: Uint8Array;
}

export async function readBlockList({ headers, request }: Call): Promise<BlockListBody> {
  const length = contentLength(headers);
  if (length > BODY_MAX) throw tooLarge("The block list", length, BODY_MAX);
  const { body } = request;
  const bytes = body instanceof Readable ? await collectBytes(body) : new Uint8Array(0);
  if (bytes.length !== length) {
    const said = `The body has ${bytes.length} bytes; Content-Length says ${length}.`;
    throw new Problem(400, "InvalidOperation", said);
  }
  return {
    blocks: parseBlockList(Buffer.from(bytes).toString("utf8")),
    md5: createHash("md5").update(bytes).digest(),
    crc64: crc64(bytes),
  };
}

function parseBlockList(text: string): ListedBlock[] {
  const root = parseXml(text);
  if (root.name !== "BlockList") throw invalidXml(`Its root is <${root.name}>, not <BlockList>.`);
  if (root.children.length > LIST_MAX) {
    const said = `The block list has ${root.children.length} blocks; ${LIST_MAX} is the limit.`;
    throw new Problem(400, "BlockListTooLong", said);
  }
  return root.children.map(({ name, text: id }) => {
    if (SOURCES.has(name)) return { from: name, blockId: requireBlockId(id.trim()) };
    throw invalidXml(`<${name}> is none of <Committed>, <Uncommitted>, <Latest>.`);
  });
}

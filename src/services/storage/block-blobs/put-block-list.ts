import { Problem } from "#platform/problem.ts";
import { ownContentProperties } from "../blobs/content-properties.ts";
import { newBlobRow, replaceBlob, requireMayReplace, type NewBlob } from "../blobs/replace-blob.ts";
import { tierAndTags } from "../blobs/tier-and-tags.ts";
import type { Answer, Call } from "../call.ts";
import { usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { encryptedHeader, encryptionOf, newContentKey } from "../encryption/content-key.ts";
import { base64OrNone, stampHeaders } from "../protocol/answer-headers.ts";
import { base64, requireChecksums, sentChecksums } from "../protocol/checksums.ts";
import { checkWriteConditions, parseConditions, type Conditions } from "../protocol/conditions.ts";
import { parseMetadata } from "../protocol/metadata.ts";
import { SINCE } from "../protocol/versions.ts";
import type { Staged } from "../state/staging.ts";
import type { BlobRow } from "../store.ts";
import { readBlockList, type ListedBlock } from "./block-list-body.ts";
import { committedBlocks, type CommittedBlock } from "./committed.ts";
import { needsCommitted, requireOneKey, resolveList, rowsOfBlocks } from "./resolve-list.ts";
import { requireBlockBlob } from "./stage.ts";

/** A writer that loses against others this often is told so. */
const ATTEMPTS_MAX = 5;

interface ListRequest {
  readonly list: readonly ListedBlock[];
  readonly conditions: Conditions;
  readonly created: Omit<NewBlob, "encryptionKeySha256" | "encryptionScope" | "length">;
}

/** Committed blocks, and the blob whose they are. */
interface Committed {
  readonly id: number;
  readonly blocks: readonly CommittedBlock[];
}

/** `PUT /{account}/{container}/{blob}?comp=blocklist`: makes the blob of blocks. */
export async function putBlockList(context: Context, call: Call): Promise<Answer> {
  const { headers, version } = call;
  const conditions = parseConditions(headers);
  checkWriteConditions(conditions);
  const sent = sentChecksums(headers, "content-md5", "x-svc-content-crc64");
  const created = {
    ...ownContentProperties(call),
    ...tierAndTags(context, call, "BlockBlob"),
    type: "BlockBlob",
    metadata: JSON.stringify(parseMetadata(call.request.raw.rawHeaders)),
  };
  const body = await readBlockList(call);
  requireChecksums(sent, body);
  const request = { list: body.blocks, conditions, created };
  const row = await usePlace(context, call, (place) => commitList(context, call, place, request));
  return {
    status: 201,
    headers: {
      ...stampHeaders(row, version),
      ...encryptedHeader(row, version),
      "content-md5": base64OrNone(sent.md5 === undefined ? undefined : body.md5),
      "x-svc-content-crc64":
        version >= SINCE.crc64 && sent.md5 === undefined ? base64(body.crc64) : undefined,
    },
  };
}

/** Reads the committed blocks where the list names some, and decides if they are the blob's. */
async function commitList(
  context: Context,
  call: Call,
  place: Place,
  request: ListRequest,
): Promise<BlobRow> {
  const { catalog, store } = context;
  let committed: Committed | undefined;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const known = committed;
    const row = await catalog.staging.use(place.containerId, place.name, (staged) =>
      decideList(context, call, place, { ...request, staged, committed: known }),
    );
    if (row !== undefined) return row;
    const existing = place.blob.assigned;
    // What was decided before has to be on disk to be read.
    await catalog.commit({ kind: "all", changes: [] });
    if (existing === undefined) continue;
    committed = { id: existing.id, blocks: await committedBlocks(store.db, existing) };
  }
  const said = `The blob was overwritten ${ATTEMPTS_MAX} times while its blocks were read.`;
  throw new Problem(409, "BlobOverwritten", said);
}

interface Listed extends ListRequest {
  readonly staged: Staged;
  readonly committed: Committed | undefined;
}

/** Undefined, with nothing done, while the committed blocks are not those of the blob. */
async function decideList(
  context: Context,
  call: Call,
  place: Place,
  { list, conditions, created, staged, committed }: Listed,
): Promise<BlobRow | undefined> {
  place.requireContainer();
  const existing = place.blob.assigned;
  const lease = requireMayReplace(context, call, place, conditions);
  requireBlockBlob(existing);
  const before = blocksOf(existing, committed);
  if (before === undefined && needsCommitted(list, staged)) return undefined;
  const blocks = resolveList(list, staged, before ?? []);
  const encryption = encryptionOf(newContentKey(context, call, place.container));
  requireOneKey(blocks, encryption);
  const stamp = context.catalog.stamp();
  const made = { ...created, ...encryption, length: 0 };
  const row = newBlobRow(context, place, { stamp, lease }, made);
  const rows = rowsOfBlocks(row.id, blocks);
  const last = rows.at(-1);
  const whole = {
    ...row,
    length: last === undefined ? 0 : last.start + last.length,
    createdAt: existing?.createdAt ?? row.createdAt,
  };
  await replaceBlob(context, place, whole, { blocks: rows });
  return whole;
}

/** Undefined while they are not known. */
function blocksOf(
  existing: BlobRow | undefined,
  committed: Committed | undefined,
): readonly CommittedBlock[] | undefined {
  if (existing === undefined) return [];
  return existing.id === committed?.id ? committed.blocks : undefined;
}

import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import { blobNotFound, usePlace, type Place } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { requireReadLease } from "../leases/require-lease.ts";
import { stampHeaders } from "../protocol/answer-headers.ts";
import { escapeXml, xmlBody, XML_TYPE } from "../protocol/xml-text.ts";
import { snapshotOf, visibleRow } from "../snapshots/find-snapshot.ts";
import { readStaged } from "../state/staging.ts";
import type { BlobRow } from "../store.ts";
import { committedBlocks } from "./committed.ts";
import { requireBlockBlob } from "./stage.ts";

const TYPES: ReadonlySet<string> = new Set(["all", "committed", "uncommitted"]);

interface Block {
  readonly blockId: string;
  readonly length: number;
}

/** `GET /{account}/{container}/{blob}?comp=blocklist&blocklisttype={type}` */
export async function getBlockList(context: Context, call: Call): Promise<Answer> {
  const type = listType(call.query.get("blocklisttype") ?? "committed");
  return usePlace(context, call, async (place) => {
    const blob = await visibleRow(context, place, call);
    requireBlockBlob(blob);
    const leased = { kind: "Blob", lease: blob?.lease ?? null } as const;
    requireReadLease(call.headers, leased, context.environment.now());
    const isSnapshot = snapshotOf(call) !== undefined;
    const waiting = isSnapshot ? [] : await waitingBlocks(context, place);
    if (blob === undefined && waiting.length === 0) throw blobNotFound(call);
    const body = await listBody(context, blob, type === "committed" ? undefined : waiting, type);
    return { status: 200, headers: listHeaders(blob, call.version), body };
  });
}

function listType(value: string): string {
  const type = value.toLowerCase();
  if (TYPES.has(type)) return type;
  const said = `blocklisttype is "${value}", which is none of committed, uncommitted, all.`;
  throw new Problem(400, "InvalidQueryParameterValue", said, {
    fields: {
      QueryParameterName: "blocklisttype",
      QueryParameterValue: value,
      Reason: "It is committed, uncommitted or all.",
    },
  });
}

async function waitingBlocks({ catalog, store }: Context, place: Place): Promise<Block[]> {
  const generation = catalog.staging.generationOf(place.containerId, place.name);
  return generation === undefined ? [] : [...(await readStaged(store.db, generation)).values()];
}

async function listBody(
  { store }: Context,
  blob: BlobRow | undefined,
  waiting: readonly Block[] | undefined,
  type: string,
): Promise<Uint8Array> {
  const committed = blob === undefined ? [] : await committedBlocks(store.db, blob);
  const parts = [
    type === "uncommitted" ? "" : blocksXml("CommittedBlocks", committed),
    waiting === undefined ? "" : blocksXml("UncommittedBlocks", waiting),
  ];
  return xmlBody(`<BlockList>${parts.join("")}</BlockList>`);
}

function blocksXml(name: string, blocks: readonly Block[]): string {
  const lines = blocks.map(
    ({ blockId, length }) =>
      `<Block><Name>${escapeXml(blockId)}</Name><Size>${length}</Size></Block>`,
  );
  return `<${name}>${lines.join("")}</${name}>`;
}

function listHeaders(blob: BlobRow | undefined, version: string) {
  return {
    ...XML_TYPE,
    ...(blob !== undefined && stampHeaders(blob, version)),
    "x-svc-blob-content-length": blob?.length ?? 0,
  };
}

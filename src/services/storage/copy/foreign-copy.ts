import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import type { Sealer } from "#platform/seal.ts";

const PURPOSE = "storage copy";
const Text = Type.Union([Type.String(), Type.Null()]);

const ContentProperties = Type.Object({
  contentType: Text,
  contentEncoding: Text,
  contentLanguage: Text,
  contentDisposition: Text,
  cacheControl: Text,
  contentMd5: Text,
});

/** What the source said when the copy began. */
const Found = Type.Object({
  /** Null where it says none, or a weak one: the copy then begins anew after a restart. */
  etag: Text,
  /** Bytes; null where the source did not say. */
  length: Type.Union([Type.Number(), Type.Null()]),
  properties: ContentProperties,
  metadata: Type.String(),
  tags: Text,
  kind: Type.Object({ type: Type.String(), blockCount: Type.Number(), sequenceNumber: Text }),
});
export type Found = Static<typeof Found>;

const ForeignCopy = Type.Object({
  id: Type.String(),
  target: Type.Object({
    account: Type.String(),
    container: Type.String(),
    blob: Type.String(),
  }),
  /** With whatever signature it has. */
  url: Type.String(),
  conditionHeaders: Type.Record(Type.String(), Type.String()),
  authorization: Text,
  intent: Text,
  leaseId: Text,
  copiesTags: Type.Boolean(),
  /** Of the protocol, as the request speaks it. */
  version: Type.String(),
  /** What the request gives the target; of metadata null where the source's is taken. */
  metadata: Text,
  tags: Text,
  tier: Text,
  tierChangedAt: Text,
  seals: Type.Boolean(),
  /** What kind of blob had the name before, if one had. */
  typeBefore: Text,
  /** Null until the source has answered. */
  found: Type.Union([Found, Type.Null()]),
});
/** A copy from another server: all that it takes to go on with it after a restart. */
export type ForeignCopy = Static<typeof ForeignCopy>;

/** It holds signatures and tokens for the source, so it is stored sealed. */
export function sealCopy(sealer: Sealer, copy: ForeignCopy): Uint8Array {
  return sealer.seal(Buffer.from(JSON.stringify(copy)), PURPOSE);
}

export function openCopy(sealer: Sealer, sealed: Uint8Array): ForeignCopy {
  const text = Buffer.from(sealer.open(sealed, PURPOSE)).toString("utf8");
  return Value.Parse(ForeignCopy, JSON.parse(text));
}

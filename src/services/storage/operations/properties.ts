import { NEEDS } from "../access/needs.ts";
import { sealAppendBlob } from "../append-blobs/seal.ts";
import { getBlobMetadata, setBlobMetadata } from "../blobs/metadata.ts";
import { setBlobProperties } from "../blobs/set-properties.ts";
import { getContainerMetadata, setContainerMetadata } from "../containers/metadata.ts";
import type { Operation } from "../operations.ts";
import { findBlobsByTags } from "../tags/find-blobs.ts";
import { getBlobTags, setBlobTags } from "../tags/tag-operations.ts";
import { setBlobTier } from "../tiers/set-tier.ts";

const onContainer = { level: "container", restype: "container", comp: "metadata" } as const;
const onBlob = { level: "blob" } as const;

/** What is known of containers and blobs beside their content. */
export const PROPERTY_OPERATIONS: readonly Operation[] = [
  ...["GET", "HEAD"].flatMap((method): Operation[] => [
    {
      name: "Get Container Metadata",
      ...onContainer,
      method,
      need: NEEDS.readContainer,
      run: getContainerMetadata,
    },
    {
      name: "Get Blob Metadata",
      ...onBlob,
      method,
      comp: "metadata",
      need: NEEDS.readBlob,
      run: getBlobMetadata,
    },
  ]),
  {
    name: "Set Container Metadata",
    ...onContainer,
    method: "PUT",
    need: NEEDS.writeContainer,
    run: setContainerMetadata,
  },
  {
    name: "Set Blob Metadata",
    ...onBlob,
    method: "PUT",
    comp: "metadata",
    need: NEEDS.writeBlob,
    run: setBlobMetadata,
  },
  {
    name: "Set Blob Properties",
    ...onBlob,
    method: "PUT",
    comp: "properties",
    need: NEEDS.writeBlob,
    run: setBlobProperties,
  },
  {
    name: "Set Blob Tier",
    ...onBlob,
    method: "PUT",
    comp: "tier",
    need: NEEDS.writeBlob,
    run: setBlobTier,
  },
  {
    name: "Get Blob Tags",
    ...onBlob,
    method: "GET",
    comp: "tags",
    need: NEEDS.readTags,
    run: getBlobTags,
  },
  {
    name: "Set Blob Tags",
    ...onBlob,
    method: "PUT",
    comp: "tags",
    need: NEEDS.writeTags,
    run: setBlobTags,
  },
  {
    name: "Find Blobs by Tags",
    level: "account",
    method: "GET",
    comp: "blobs",
    need: NEEDS.findBlobs,
    run: findBlobsByTags,
  },
  {
    name: "Find Blobs by Tags in a Container",
    level: "container",
    restype: "container",
    method: "GET",
    comp: "blobs",
    need: NEEDS.findBlobsInContainer,
    run: findBlobsByTags,
  },
  {
    name: "Append Blob Seal",
    ...onBlob,
    method: "PUT",
    comp: "seal",
    need: NEEDS.appendBlob,
    run: sealAppendBlob,
  },
];

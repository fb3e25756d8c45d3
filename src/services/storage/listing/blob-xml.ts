import { leaseElements } from "./lease-xml.ts";
import { metadataXml } from "./metadata-xml.ts";
import { httpDate } from "../protocol/answer-headers.ts";
import { SINCE } from "../protocol/versions.ts";
import { isXmlText, xmlElement } from "../protocol/xml-text.ts";
import type { BlobRow } from "../store.ts";
import { tagCount, tagsXml } from "../tags/tags.ts";
import { shownTier } from "../tiers/tiers.ts";
import type { Entry } from "./blob-scan.ts";

export interface BlobXmlOptions {
  readonly include: ReadonlySet<string>;
  readonly version: string;
  readonly now: Date;
}

/** `<Blob>` or `<BlobPrefix>` */
export function entryXml(entry: Entry, options: BlobXmlOptions): string {
  if (entry.kind === "prefix") {
    return `<BlobPrefix>${nameXml(entry.name, options.version)}</BlobPrefix>`;
  }
  const { row } = entry;
  const { include, version } = options;
  return (
    `<Blob>${nameXml(row.name, version)}` +
    (row.snapshot === "" ? "" : xmlElement("Snapshot", row.snapshot)) +
    `<Properties>${propertiesXml(row, options)}</Properties>` +
    (include.has("metadata") ? metadataXml(row.metadata) : "") +
    (include.has("tags") && row.tags !== null ? tagsXml(row.tags) : "") +
    `<OrMetadata /></Blob>`
  );
}

/** A name that XML cannot hold is percent-encoded, and says so. */
function nameXml(name: string, version: string): string {
  if (version < SINCE.encodedNames || isXmlText(name)) return xmlElement("Name", name);
  return `<Name Encoded="true">${encodeURIComponent(name)}</Name>`;
}

function propertiesXml(row: BlobRow, { version, now }: BlobXmlOptions): string {
  return (
    (version >= SINCE.creationTime ? xmlElement("Creation-Time", httpDate(row.createdAt)) : "") +
    xmlElement("Last-Modified", httpDate(row.lastModified)) +
    `<Etag>${row.etag}</Etag><Content-Length>${row.length}</Content-Length>` +
    contentXml(row) +
    `<BlobType>${row.type}</BlobType>` +
    tierXml(row, version) +
    leaseElements(row.lease, version, now) +
    (row.sealed === 1 ? "<Sealed>true</Sealed>" : "") +
    (version >= SINCE.encryptionHeader ? "<ServerEncrypted>false</ServerEncrypted>" : "") +
    (row.tags === null ? "" : xmlElement("TagCount", tagCount(row.tags)))
  );
}

/** Of what a blob does not have the elements are empty. */
function contentXml(row: BlobRow): string {
  return (
    xmlElement("Content-Type", row.contentType ?? "") +
    xmlElement("Content-Encoding", row.contentEncoding ?? "") +
    xmlElement("Content-Language", row.contentLanguage ?? "") +
    xmlElement("Content-MD5", row.contentMd5 ?? "") +
    xmlElement("Cache-Control", row.cacheControl ?? "") +
    xmlElement("Content-Disposition", row.contentDisposition ?? "")
  );
}

function tierXml(row: BlobRow, version: string): string {
  if (row.type !== "BlockBlob" || version < SINCE.tier) return "";
  const { tier, isInferred, changedAt } = shownTier(row);
  return (
    xmlElement("AccessTier", tier) +
    (isInferred ? "<AccessTierInferred>true</AccessTierInferred>" : "") +
    xmlElement("AccessTierChangeTime", changedAt === undefined ? undefined : httpDate(changedAt))
  );
}

import { leaseElements } from "./lease-xml.ts";
import { metadataXml } from "./metadata-xml.ts";
import type { Context } from "../context.ts";
import { copyOf } from "../copy/copy-state.ts";
import { httpDate } from "../protocol/answer-headers.ts";
import { SINCE } from "../protocol/versions.ts";
import { escapeXml, isXmlText, xmlElement } from "../protocol/xml-text.ts";
import { tagCount, tagsXml } from "../tags/tags.ts";
import { shownTier } from "../tiers/tiers.ts";
import type { Entry, ListedBlob } from "./blob-scan.ts";

export interface BlobXmlOptions {
  readonly context: Pick<Context, "copies">;
  readonly include: ReadonlySet<string>;
  readonly version: string;
  readonly now: Date;
  /** Times of rows as dates of HTTP; neighbours often have the same. */
  readonly dateOf: (time: string) => string;
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
export function nameXml(name: string, version: string): string {
  if (version < SINCE.encodedNames || isXmlText(name)) return xmlElement("Name", name);
  return `<Name Encoded="true">${encodeURIComponent(name)}</Name>`;
}

function propertiesXml(row: ListedBlob, options: BlobXmlOptions): string {
  const { version, now, dateOf } = options;
  return (
    (version >= SINCE.creationTime
      ? `<Creation-Time>${dateOf(row.createdAt)}</Creation-Time>`
      : "") +
    `<Last-Modified>${dateOf(row.lastModified)}</Last-Modified>` +
    `<Etag>${row.etag}</Etag><Content-Length>${row.length}</Content-Length>` +
    contentXml(row) +
    `<BlobType>${row.type}</BlobType>` +
    tierXml(row, version) +
    leaseElements(row.lease, version, now) +
    copyXml(row, options) +
    (row.sealed === 1 ? "<Sealed>true</Sealed>" : "") +
    (version >= SINCE.encryptionHeader ? "<ServerEncrypted>false</ServerEncrypted>" : "") +
    (row.tags === null ? "" : xmlElement("TagCount", tagCount(row.tags)))
  );
}

/** Of what a blob does not have the elements are empty. */
function contentXml(row: ListedBlob): string {
  return (
    orEmpty("Content-Type", row.contentType) +
    orEmpty("Content-Encoding", row.contentEncoding) +
    orEmpty("Content-Language", row.contentLanguage) +
    orEmpty("Content-MD5", row.contentMd5) +
    orEmpty("Cache-Control", row.cacheControl) +
    orEmpty("Content-Disposition", row.contentDisposition)
  );
}

function orEmpty(name: string, value: string | null): string {
  return value === null ? `<${name} />` : `<${name}>${escapeXml(value)}</${name}>`;
}

/** The copy that a blob came from, where it was asked for. */
function copyXml(row: ListedBlob, { include, context }: BlobXmlOptions): string {
  if (row.copy === null || !include.has("copy")) return "";
  const state = copyOf(context, row);
  if (state === undefined) return "";
  const { completedAt } = state;
  return (
    xmlElement("CopyId", state.id) +
    xmlElement("CopySource", state.source) +
    xmlElement("CopyStatus", state.status) +
    xmlElement("CopyProgress", state.progress) +
    xmlElement("CopyCompletionTime", completedAt === null ? undefined : httpDate(completedAt)) +
    xmlElement("CopyStatusDescription", state.description ?? undefined)
  );
}

function tierXml(row: ListedBlob, version: string): string {
  if (row.type !== "BlockBlob" || version < SINCE.tier) return "";
  const { tier, isInferred, changedAt } = shownTier(row);
  return (
    xmlElement("AccessTier", tier) +
    (isInferred ? "<AccessTierInferred>true</AccessTierInferred>" : "") +
    xmlElement("AccessTierChangeTime", changedAt === undefined ? undefined : httpDate(changedAt))
  );
}

/** Remembers the last date, which is the next one as well when blobs were written together. */
export function datesOfRows(): (time: string) => string {
  let known = "";
  let date = "";
  return (time) => {
    const second = time.slice(0, "0000-00-00T00:00:00".length);
    if (second !== known) {
      known = second;
      date = httpDate(time);
    }
    return date;
  };
}

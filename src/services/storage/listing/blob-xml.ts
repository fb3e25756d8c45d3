import { leaseElements } from "./lease-xml.ts";
import { metadataXml } from "./metadata-xml.ts";
import type { Context } from "../context.ts";
import { copyOf } from "../copy/copy-state.ts";
import { isAtAll } from "../encryption/content-key.ts";
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
  /** The name that the element has, as the header of the caller's dialect. */
  readonly sequenceNumber: string;
}

type Part = (row: ListedBlob) => string;

/** Parts of the properties that are the same in most rows of a page, so they are made once. */
interface Parts {
  readonly dateOf: (time: string) => string;
  readonly head: Part;
  readonly tail: Part;
}

const HEAD = ["contentType", "contentEncoding", "contentLanguage"] as const;
const TAIL = [
  ...(["type", "cacheControl", "contentDisposition", "tier", "tierChangedAt"] as const),
  ...(["lease", "copy", "sealed", "tags", "sequenceNumber"] as const),
  ...(["encryptionScope", "encryptionKeySha256"] as const),
] as const;

/** Writes entries as `<Blob>` or `<BlobPrefix>`. */
export function entryWriter(options: BlobXmlOptions): (entry: Entry) => string {
  const parts = {
    dateOf: datesOfRows(),
    head: remembered(HEAD, contentHead),
    tail: remembered(TAIL, (row) => contentTail(row) + stateXml(row, options)),
  };
  return (entry) => {
    if (entry.kind === "blob") return blobXml(entry.row, options, parts);
    return `<BlobPrefix>${nameXml(entry.name, options.version)}</BlobPrefix>`;
  };
}

/** The text of the row before, as long as the columns that it depends on are the same. */
function remembered(columns: readonly (keyof ListedBlob)[], write: Part): Part {
  let last: ListedBlob | undefined;
  let text = "";
  return (row) => {
    const known = last;
    if (known !== undefined && columns.every((name) => known[name] === row[name])) return text;
    last = row;
    text = write(row);
    return text;
  };
}

function blobXml(row: ListedBlob, { include, version }: BlobXmlOptions, parts: Parts): string {
  return (
    `<Blob>${nameXml(row.name, version)}` +
    (row.snapshot === "" ? "" : xmlElement("Snapshot", row.snapshot)) +
    `<Properties>${propertiesXml(row, version, parts)}</Properties>` +
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

function propertiesXml(row: ListedBlob, version: string, { dateOf, head, tail }: Parts): string {
  const creation =
    version >= SINCE.creationTime ? `<Creation-Time>${dateOf(row.createdAt)}</Creation-Time>` : "";
  return (
    `${creation}<Last-Modified>${dateOf(row.lastModified)}</Last-Modified>` +
    `<Etag>${row.etag}</Etag><Content-Length>${row.length}</Content-Length>` +
    head(row) +
    orEmpty("Content-MD5", row.contentMd5) +
    tail(row)
  );
}

/** Of what a blob does not have the elements are empty. */
function contentHead(row: ListedBlob): string {
  return (
    orEmpty("Content-Type", row.contentType) +
    orEmpty("Content-Encoding", row.contentEncoding) +
    orEmpty("Content-Language", row.contentLanguage)
  );
}

function contentTail(row: ListedBlob): string {
  return (
    orEmpty("Cache-Control", row.cacheControl) +
    orEmpty("Content-Disposition", row.contentDisposition)
  );
}

function stateXml(row: ListedBlob, options: BlobXmlOptions): string {
  const { version, now } = options;
  return (
    `<BlobType>${row.type}</BlobType>` +
    xmlElement(options.sequenceNumber, row.sequenceNumber ?? undefined) +
    tierXml(row, version) +
    leaseElements(row.lease, version, now) +
    copyXml(row, options) +
    (row.sealed === 1 ? "<Sealed>true</Sealed>" : "") +
    encryptionXml(row, version) +
    (row.tags === null ? "" : xmlElement("TagCount", tagCount(row.tags)))
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
    xmlElement("CopyStatusDescription", state.description ?? undefined) +
    xmlElement("IncrementalCopy", state.snapshot === undefined ? undefined : "true") +
    xmlElement("CopyDestinationSnapshot", state.snapshot)
  );
}

function encryptionXml(row: ListedBlob, version: string): string {
  if (version < SINCE.encryptionHeader) return "";
  const isEncrypted = xmlElement("ServerEncrypted", String(isAtAll(row)));
  if (version < SINCE.encryption) return isEncrypted;
  return (
    isEncrypted +
    xmlElement("CustomerProvidedKeySha256", row.encryptionKeySha256 ?? undefined) +
    xmlElement("EncryptionScope", row.encryptionScope ?? undefined)
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
function datesOfRows(): (time: string) => string {
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

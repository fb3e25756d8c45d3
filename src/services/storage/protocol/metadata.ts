import { Problem } from "#platform/problem.ts";

const METADATA_HEADER = /^x-(?:ms|svc)-meta-/i;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Bytes of all names and values. */
const METADATA_MAX = 8192;

/** The metadata of a request, names in the case in which they were sent. */
export function parseMetadata(rawHeaders: readonly string[]): Readonly<Record<string, string>> {
  const metadata = new Map<string, string>();
  const seen = new Set<string>();
  let size = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (!METADATA_HEADER.test(header)) continue;
    const name = header.replace(METADATA_HEADER, "");
    if (name === "") {
      throw new Problem(400, "EmptyMetadataKey", "A metadata header has no name behind meta-.");
    }
    if (!NAME.test(name)) {
      const said = `"${name}" is no name of metadata: letters, digits and _, no digit first.`;
      throw new Problem(400, "InvalidMetadata", said);
    }
    if (seen.has(name.toLowerCase())) {
      throw new Problem(400, "InvalidMetadata", `The metadata names "${name}" more than once.`);
    }
    seen.add(name.toLowerCase());
    metadata.set(name, value);
    size += name.length + Buffer.byteLength(value);
  }
  if (size > METADATA_MAX) {
    const said = `The metadata has ${size} bytes; at most ${METADATA_MAX} are allowed.`;
    throw new Problem(400, "MetadataTooLarge", said);
  }
  return Object.fromEntries(metadata);
}

/** Stored metadata as the headers of an answer. */
export function metadataHeaders(stored: string): Record<string, string> {
  const metadata: object = JSON.parse(stored);
  const entries = Object.entries(metadata);
  return Object.fromEntries(entries.map(([name, value]) => [`x-svc-meta-${name}`, String(value)]));
}

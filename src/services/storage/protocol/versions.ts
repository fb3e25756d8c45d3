import { Problem } from "#platform/problem.ts";

/** Versions of the protocol that are served, oldest first. They compare correctly as text. */
const VERSIONS: readonly string[] = `
  2009-04-14 2009-07-17 2009-09-19 2011-08-18 2012-02-12 2013-08-15 2014-02-14 2015-02-21
  2015-04-05 2015-07-08 2015-12-11 2016-05-31 2017-04-17 2017-07-29 2017-11-09 2018-03-28
  2018-11-09 2019-02-02 2019-07-07 2019-10-10 2019-12-12 2020-02-10 2020-04-08 2020-06-12
  2020-08-04 2020-10-02 2020-12-06 2021-02-12 2021-04-10 2021-06-08 2021-08-06 2021-10-04
  2021-12-02 2022-11-02 2023-01-03 2023-08-03 2023-11-03 2024-02-04 2024-05-04 2024-08-04
  2024-11-04 2025-01-05 2025-05-05 2025-07-05 2025-11-05 2026-02-06 2026-04-06 2026-06-06
  2026-10-06 2026-12-06
`
  .trim()
  .split(/\s+/);
const KNOWN = new Set(VERSIONS);
const NEWEST = VERSIONS.at(-1) ?? "";

/** What began with which version. */
export const SINCE = {
  pageBlob: "2009-09-19",
  quotedEtag: "2011-08-18",
  leaseHeaders: "2012-02-12",
  freeReadConditions: "2013-08-15",
  appendBlob: "2015-02-21",
  pageRangesDiff: "2015-07-08",
  encryptionHeader: "2015-12-11",
  rangedBlobMd5: "2016-05-31",
  incrementalCopy: "2016-05-31",
  errorCodeHeader: "2017-07-29",
  breakByDelete: "2017-07-29",
  creationTime: "2017-11-09",
  appendFromUrl: "2018-11-09",
  blockFromUrl: "2018-03-28",
  putBlobFromUrl: "2020-04-08",
  crc64: "2019-02-02",
  encryption: "2019-02-02",
  containerScope: "2019-07-07",
  sourceConditionCode: "2019-12-12",
  seal: "2019-12-12",
  tags: "2019-12-12",
  tier: "2017-04-17",
  encodedNames: "2021-02-12",
  sourceTags: "2021-04-10",
  sourceAuthorization: "2020-10-02",
  pagedPageRanges: "2020-10-02",
  largeBlocks: "2022-11-02",
  fileRequestIntent: "2025-07-05",
  sourceKey: "2026-02-06",
} as const;

const MIB = 2 ** 20;

/** Bytes in one block of an append blob. */
export function appendBlockMax(version: string): number {
  return (version >= SINCE.largeBlocks ? 100 : 4) * MIB;
}

/** Bytes in a block blob that is put in one request. */
export function putBlobMax(version: string): number {
  if (version >= "2019-12-12") return 5000 * MIB;
  return (version >= "2016-05-31" ? 256 : 64) * MIB;
}

/** Bytes in one block of a block blob. */
export function putBlockMax(version: string): number {
  if (version >= "2019-12-12") return 4000 * MIB;
  return (version >= "2016-05-31" ? 100 : 4) * MIB;
}

export function isKnownVersion(version: string): boolean {
  return KNOWN.has(version);
}

/**
 * The version of a request: as the header says, else as its signed URL was made for. Signed
 * requests have to say it; anonymous ones get the newest.
 */
export function versionOf(
  header: string | undefined,
  query: ReadonlyMap<string, string>,
  isAuthorized: boolean,
): string {
  const isSigned = query.has("sig");
  const asked = header ?? (isSigned ? (query.get("api-version") ?? query.get("sv")) : undefined);
  if (asked === undefined) {
    if (!isAuthorized) return NEWEST;
    throw new Problem(
      400,
      "MissingRequiredHeader",
      "An authorized request says in x-svc-version which version of the protocol it speaks.",
      { fields: { HeaderName: "x-svc-version" } },
    );
  }
  if (KNOWN.has(asked)) return asked;
  const name = header === undefined ? "sv" : "x-svc-version";
  throw new Problem(
    400,
    "InvalidHeaderValue",
    `${name} is "${asked}", which is no version served here; the newest is ${NEWEST}.`,
    { fields: { HeaderName: name, HeaderValue: asked } },
  );
}

/** Refuses with 409 versions older than the operation. */
export function requireSince(version: string, since: string, what: string): void {
  if (version >= since) return;
  const said = `${what} exists from version ${since} on, not in ${version}.`;
  throw new Problem(409, "FeatureVersionMismatch", said);
}

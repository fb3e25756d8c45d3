import { sql, type Kysely } from "kysely";
import type { BlobRow, StorageTables } from "../store.ts";
import type { PageQuery } from "./page-query.ts";
import { behindPrefix, markerOf, type Position } from "./position.ts";

/** Rows that are read at a time in a flat listing; other requests get their turn in between. */
const ROWS_MAX = 500;
/** With a delimiter most rows may be behind the prefix that the first one tells. */
const ROWS_FIRST = 4;

/** What a listing reads of a blob. */
export type ListedBlob = Omit<
  BlobRow,
  "blockCount" | "containerId" | "copyRequest" | "id" | "snapshotCount"
>;

/** What a page shows: a blob, or all blobs that share a prefix. */
export type Entry =
  | { readonly kind: "blob"; readonly row: ListedBlob }
  | { readonly kind: "prefix"; readonly name: string };

export interface Page {
  /** As they are written, UTF-8. */
  readonly entries: Uint8Array;
  /** Marker of the next page; empty when this was the last. */
  readonly next: string;
}

/**
 * One page in the order of names. It reads along the index from where the page begins, and jumps
 * over all that a prefix stands for, so it costs what it shows whatever the container holds.
 */
export async function scanBlobs(
  db: Kysely<StorageTables>,
  { containerId, touchedAfter }: Scanned,
  query: PageQuery,
  write: (entry: Entry) => string,
): Promise<Page> {
  const { prefix, delimiter, countMax, include } = query;
  const end = prefix === "" ? undefined : behindPrefix(prefix);
  const isStaged = include.has("uncommittedblobs");
  const range = {
    containerId,
    end,
    snapshots: include.has("snapshots"),
    staged: isStaged ? touchedAfter : undefined,
  };
  const first = delimiter === "" ? ROWS_MAX : ROWS_FIRST;
  const taken: Taken = { entries: [], count: 0, position: beginOf(query), limit: first };
  const written: Uint8Array[] = [];
  for (;;) {
    const { position } = taken;
    const limit = Math.min(taken.limit, countMax - taken.count + 1);
    const rows = await readRows(db, range, position, limit);
    taken.limit = Math.min(taken.limit * 2, ROWS_MAX);
    const how = take(rows, query, taken);
    // Rows that stay until the page is full are moved by the collector again and again.
    written.push(Buffer.from(taken.entries.map(write).join("")));
    taken.entries = [];
    if (how === "full") return pageOf(written, markerOf(taken.position));
    if (how === "last" || (how === "all" && rows.length < limit)) return pageOf(written, "");
    if (how === "jumped") taken.limit = first;
  }
}

function pageOf(written: readonly Uint8Array[], next: string): Page {
  return { entries: Buffer.concat(written), next };
}

interface Scanned {
  readonly containerId: number;
  /** Names whose last block came before have none that wait any more. ISO 8601. */
  readonly touchedAfter: string;
}

/** What a page has so far. */
interface Taken {
  /** Those that are not written yet. */
  entries: Entry[];
  /** Of all entries. */
  count: number;
  /** Where it goes on. */
  position: Position;
  /** Rows to read next. */
  limit: number;
}

/** Up to the first row that belongs to a prefix; the rows behind it may belong to it as well. */
function take(rows: readonly ListedBlob[], query: PageQuery, taken: Taken) {
  const { prefix, delimiter, countMax } = query;
  for (const row of rows) {
    if (taken.count === countMax) return "full";
    taken.count += 1;
    const shared = sharedPrefix(row.name, prefix, delimiter);
    if (shared === undefined) {
      taken.entries.push({ kind: "blob", row });
      taken.position = { name: row.name, shown: { snapshot: row.snapshot } };
      continue;
    }
    taken.entries.push({ kind: "prefix", name: shared });
    const behind = behindPrefix(shared);
    if (behind === undefined) return "last";
    taken.position = { name: behind, shown: undefined };
    return "jumped";
  }
  return "all";
}

/** A marker of another listing may lie before the prefix. */
function beginOf({ prefix, position }: PageQuery): Position {
  const isBehind = position !== undefined && compare(position.name, prefix) >= 0;
  return isBehind ? position : { name: prefix, shown: undefined };
}

/** In the order of the tables, which is that of the bytes. */
function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Up to and with the first delimiter behind the prefix; undefined where there is none. */
function sharedPrefix(name: string, prefix: string, delimiter: string): string | undefined {
  const at = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : name.slice(0, at + delimiter.length);
}

interface Range {
  readonly containerId: number;
  /** The first name that does not belong to it. */
  readonly end: string | undefined;
  readonly snapshots: boolean;
  /** Since when names count that have waiting blocks only; undefined where they do not. */
  readonly staged: string | undefined;
}

const COLUMN_NAMES = [
  "name",
  "snapshot",
  "type",
  "length",
  "etag",
  "last_modified",
  "created_at",
  "content_type",
  "content_encoding",
  "content_language",
  "content_disposition",
  "cache_control",
  "content_md5",
  "metadata",
  "lease",
  "sealed",
  "tier",
  "tier_changed_at",
  "tags",
  "copy",
  "encryption_scope",
  "encryption_key_sha256",
  "sequence_number",
] as const;

/** What is told of a blob that has waiting blocks and nothing else. */
const STAGED_VALUES: Partial<Record<(typeof COLUMN_NAMES)[number], string>> = {
  name: "name",
  snapshot: "''",
  type: "'BlockBlob'",
  length: "0",
  etag: "''",
  last_modified: "touched_at",
  created_at: "touched_at",
  metadata: "'{}'",
  sealed: "0",
};

const COLUMNS = columns((column) => column);
const STAGED_COLUMNS = columns((column) => STAGED_VALUES[column] ?? "cast(null as text)");

function columns(valueOf: (column: (typeof COLUMN_NAMES)[number]) => string) {
  const named = COLUMN_NAMES.map((column) => {
    const name = column.replaceAll(/_(.)/g, (_, next: string) => next.toUpperCase());
    return `${valueOf(column)} as "${name}"`;
  });
  return sql.raw(named.join(", "));
}

/** Without the store's plugins: to rename the columns of thousands of rows took half the time. */
async function readRows(
  db: Kysely<StorageTables>,
  { containerId, end, snapshots, staged }: Range,
  { name, shown }: Position,
  limit: number,
): Promise<readonly ListedBlob[]> {
  const from =
    shown === undefined
      ? sql`name >= ${name}`
      : sql`(name, snapshot) > (${name}, ${shown.snapshot})`;
  const until = end === undefined ? sql`` : sql`and name < ${end}`;
  const only = snapshots ? sql`` : sql`and snapshot = ''`;
  const blobs = sql<ListedBlob>`
    select ${COLUMNS} from blob
    where container_id = ${containerId} and ${from} ${until} ${only}
    order by name, snapshot limit ${limit}`;
  if (staged === undefined) return (await blobs.execute(db.withoutPlugins())).rows;
  const behind = shown === undefined ? sql`name >= ${name}` : sql`name > ${name}`;
  const { rows } = await sql<ListedBlob>`
    select * from (${blobs}) as committed union all
    select * from (
      select ${STAGED_COLUMNS} from staged_blob
      where container_id = ${containerId} and ${behind} ${until} and touched_at > ${staged}
      and not exists (select 1 from blob where blob.container_id = staged_blob.container_id
        and blob.name = staged_blob.name and blob.snapshot = '')
      order by name limit ${limit}
    ) as waiting
    order by name, snapshot limit ${limit}`.execute(db.withoutPlugins());
  return rows;
}

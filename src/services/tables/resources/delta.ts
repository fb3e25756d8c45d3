import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { badQuery } from "../protocol/refusals.ts";
import { answered, readerFor, type Answer, type Request } from "../protocol/request.ts";
import { parseSelect } from "../protocol/select.ts";
import { namesOf } from "../rows/names.ts";
import { presentRow } from "../rows/present.ts";
import { rowsOf } from "../storage/physical.ts";
import { sql, type Reader, type Row } from "../storage/sql.ts";

/** A version as a token: nothing that was written up to it is told again. */
const TOKEN = /^\d{1,15}$/;

/** The version that was given out last. */
export async function currentVersion(reader: Reader): Promise<number> {
  const [row] = await reader.rows(sql("select value from row_version"));
  return Number(row?.["value"] ?? 0);
}

/** Refuses what cannot be followed: all rows of a table, or none. */
export function requireTrackable({ query }: Request, { definition, logicalName }: Table): void {
  if (!definition.hasChangeTracking) {
    throw badQuery(`The changes of ${logicalName} are not tracked.`);
  }
  for (const name of ["$apply", "$expand", "$filter", "$orderby", "$search", "$top"]) {
    if (query.has(name)) throw badQuery(`The query option ${name} does not go with tracking.`);
  }
}

/** Where the changes after a version are found. */
export function deltaLink({ base, query }: Request, table: Table, version: number): string {
  const select = query.get("$select");
  const columns = select === undefined ? "" : `$select=${encodeURIComponent(select)}&`;
  return `${base}/${table.entitySetName}?${columns}$deltatoken=${version}`;
}

/** `GET set?$deltatoken=…`: rows as they are now, and the ids of those that are gone. */
export async function answerDelta(
  context: Context,
  request: Request,
  table: Table,
): Promise<Answer> {
  const { catalog, access } = context;
  const { base, query, preferences, actor } = request;
  access.require(actor.caller, "read", table.logicalName);
  requireTrackable(request, table);
  const token = query.get("$deltatoken") ?? "";
  if (!TOKEN.test(token)) throw badQuery("The $deltatoken is not one that a link of tracking had.");
  const reader = readerFor(context, request);
  const changes = await changesSince(reader, table, Number(token));
  const select = parseSelect(table, query.get("$select"));
  const rows = changes.map(({ row }) => row).filter((row) => row !== undefined);
  const names = await namesOf({ catalog, reader, preferences }, table, { rows, select });
  const set = `${base}/$metadata#${table.entitySetName}`;
  const value = changes.map(({ row, id }) =>
    row === undefined
      ? { "@odata.context": `${set}/$deletedEntity`, id, reason: "deleted" }
      : presentRow(table, row, { catalog, preferences, select, names }),
  );
  const last = changes.at(-1)?.version ?? Number(token);
  const name = changes.length < PAGE_SIZE_MAX ? "@odata.deltaLink" : "@odata.nextLink";
  return answered(200, {
    "@odata.context": `${set}/$delta`,
    value,
    [name]: deltaLink(request, table, last),
  });
}

interface Change {
  readonly version: number;
  readonly id: string;
  /** Undefined when the row is gone. */
  readonly row: Row | undefined;
}

async function changesSince(
  reader: Reader,
  table: Table,
  version: number,
): Promise<readonly Change[]> {
  const written = await reader.rows(
    sql(`select * from ${rowsOf(table)} where versionnumber > ? order by versionnumber limit ?`, [
      version,
      PAGE_SIZE_MAX,
    ]),
  );
  const gone = await reader.rows(
    sql(
      "select row_id, version from deleted_row where table_name = ? and version > ? " +
        "order by version limit ?",
      [table.logicalName, version, PAGE_SIZE_MAX],
    ),
  );
  const changes = [
    ...written.map((row): Change => ({
      version: Number(row["versionnumber"]),
      id: String(row[table.primaryId]),
      row,
    })),
    ...gone.map((row): Change => ({
      version: Number(row["version"]),
      id: String(row["row_id"]),
      row: undefined,
    })),
  ];
  return changes.toSorted((a, b) => a.version - b.version).slice(0, PAGE_SIZE_MAX);
}

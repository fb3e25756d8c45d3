import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { parseFetch } from "../fetch/parse-fetch.ts";
import { runFetch } from "../fetch/run-fetch.ts";
import { wantsAnnotation } from "../protocol/prefer.ts";
import { badQuery } from "../protocol/refusals.ts";
import { answered, readerFor, type Answer, type Request } from "../protocol/request.ts";
import { namesOf } from "../rows/names.ts";
import { presentRow } from "../rows/present.ts";
import { requireNoOptions } from "./entity.ts";
import { contextUrl } from "./presented.ts";

/** `GET set?fetchXml=…`: the one way to read what was put away for the long term. */
export async function answerFetch(
  context: Context,
  request: Request,
  table: Table,
): Promise<Answer> {
  requireNoOptions(request, ["fetchXml"]);
  const { catalog, dialect, access } = context;
  const { actor, preferences, base } = request;
  access.require(actor.caller, "read", table.logicalName);
  const fetch = parseFetch(catalog, dialect, request.query.get("fetchXml") ?? "");
  if (fetch.table !== table) {
    throw badQuery(`The FetchXML asks for ${fetch.table.logicalName}, not ${table.logicalName}.`);
  }
  const reader = readerFor(context, request);
  const { rows, hasMore } = await runFetch(reader, fetch);
  const { select } = fetch;
  const names = await namesOf({ catalog, reader, preferences }, table, { rows, select });
  const cookie = `<cookie pagenumber="${fetch.page + 1}" istracking="False" />`;
  return answered(200, {
    "@odata.context": contextUrl(base, table, { select: undefined, isSingle: false }),
    ...(wantsAnnotation(preferences, MORE) && { [`@${MORE}`]: hasMore }),
    ...(hasMore && { [`@${COOKIE}`]: cookie }),
    value: rows.map((row) => presentRow(table, row, { catalog, preferences, select, names })),
  });
}

const MORE = "Microsoft.Dynamics.CRM.morerecords";
const COOKIE = "Microsoft.Dynamics.CRM.fetchxmlpagingcookie";

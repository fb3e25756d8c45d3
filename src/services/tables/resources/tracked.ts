import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { readerFor, type Answer, type Request } from "../protocol/request.ts";
import { badQuery } from "../protocol/refusals.ts";
import { answerDelta, currentVersion, deltaLink, requireTrackable } from "./delta.ts";
import { answerList } from "./list.ts";

/** What the links between the pages of a first listing carry: the version when it began. */
const STARTED = /^from-(\d{1,15})$/;

/** A list whose changes are followed from then on, or the changes themselves. */
export async function answerTracked(
  context: Context,
  request: Request,
  table: Table,
): Promise<Answer> {
  const token = request.query.get("$deltatoken");
  const [, started] = STARTED.exec(token ?? "") ?? [];
  if (token !== undefined && started === undefined) return answerDelta(context, request, table);
  requireTrackable(request, table);
  // What is written while the pages are read is told again, rather than not at all.
  const version = started === undefined ? await firstVersion(context, request) : Number(started);
  const query = new Map(request.query).set("$deltatoken", `from-${version}`);
  const answer = await answerList(context, { ...request, query }, table);
  if (hasNextPage(answer)) return answer;
  const link = { "@odata.deltaLink": deltaLink(request, table, version) };
  return { ...answer, body: Object.assign({}, answer.body, link) };
}

function firstVersion(context: Context, request: Request): Promise<number> {
  if (request.query.has("$skiptoken")) throw badQuery("Tracking begins with the first page.");
  return currentVersion(readerFor(context, request));
}

function hasNextPage({ body }: Answer): boolean {
  return typeof body === "object" && body !== null && "@odata.nextLink" in body;
}

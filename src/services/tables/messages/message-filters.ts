import type { Context } from "../context.ts";
import { answered, type Answer, type Request } from "../protocol/request.ts";
import { unquoted } from "../protocol/path.ts";
import { stableId } from "../stable-id.ts";
import { badQuery, noMethod } from "../protocol/refusals.ts";

const CONDITION =
  /(sdkmessageid\/name|primaryobjecttypecode)\s+eq\s+('(?:[^']|'')*'|@[A-Za-z_]\w*)/g;

/** `sdkmessagefilters`: clients ask by it whether a table supports a message. */
export function answerMessageFilters(context: Context, request: Request): Answer {
  if (request.method !== "GET") throw noMethod(request.method, "sdkmessagefilters");
  const wanted = conditionsOf(request);
  const message = wanted.get("sdkmessageid/name");
  const table = wanted.get("primaryobjecttypecode");
  if (message === undefined || table === undefined) {
    throw badQuery(
      "sdkmessagefilters is asked with $filter=sdkmessageid/name eq '…' and " +
        "primaryobjecttypecode eq '…'.",
    );
  }
  const messages: readonly string[] = context.catalog.table(table)?.definition.messages ?? [];
  const id = stableId(`message filter ${table} ${message}`);
  return answered(200, {
    "@odata.context": `${request.base}/$metadata#sdkmessagefilters(sdkmessagefilterid)`,
    value: messages.includes(message) ? [{ sdkmessagefilterid: id }] : [],
  });
}

function conditionsOf({ query }: Request): ReadonlyMap<string, string> {
  const filter = query.get("$filter") ?? "";
  return new Map(
    [...filter.matchAll(CONDITION)].map(([, name = "", literal = ""]) => {
      const value = literal.startsWith("@") ? query.get(literal) : literal;
      if (value === undefined) throw badQuery(`The parameter alias ${literal} has no value.`);
      return [name, unquoted(value)];
    }),
  );
}

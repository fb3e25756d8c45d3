import { Problem } from "#platform/problem.ts";
import type { Answer, Call } from "../call.ts";
import { containerNotFound } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { nameXml } from "../listing/blob-xml.ts";
import { invalidParameter, parseCountMax } from "../listing/page-query.ts";
import { SINCE, requireSince } from "../protocol/versions.ts";
import { escapeXml, xmlBody, xmlElement, XML_TYPE } from "../protocol/xml-text.ts";
import { parseTagExpression, TagExpressionError, type TagExpression } from "./tag-expression.ts";
import { readTags, tagsXml } from "./tags.ts";

/** Blobs with tags that are read at a time. */
const ROWS_PAGE = 500;

/** The last blob that was looked at. */
interface Position {
  readonly container: string;
  readonly blob: string;
}

interface Found {
  readonly name: string;
  readonly container: string;
  readonly tags: string;
}

/** `GET /{account}?comp=blobs&where=…`: blobs of the account, or of one container, by tags. */
export async function findBlobsByTags(context: Context, call: Call): Promise<Answer> {
  requireSince(call.version, SINCE.tags, "Find Blobs by Tags");
  const { account, container, query, request } = call;
  const where = query.get("where") ?? "";
  const expression = parseWhere(where);
  const countMax = parseCountMax(query.get("maxresults"));
  const marker = query.get("marker") ?? "";
  await requireContainer(context, call);
  const found = await search(context, call, expression, { countMax, from: parseMarker(marker) });
  const blobs = found.blobs.map(({ name, container: its, tags }) => {
    const shown = tagsXml(tags, expression.names);
    return `<Blob>${nameXml(name, call.version)}${xmlElement("ContainerName", its)}${shown}</Blob>`;
  });
  const endpoint = escapeXml(`${request.protocol}://${request.host}/${account}/`);
  const named = container === "" ? "" : ` ContainerName="${escapeXml(container)}"`;
  const body = xmlBody(
    `<EnumerationResults ServiceEndpoint="${endpoint}"${named}>${xmlElement("Where", where)}` +
      `<Blobs>${blobs.join("")}</Blobs>${xmlElement("NextMarker", found.next)}` +
      `</EnumerationResults>`,
  );
  return { status: 200, headers: XML_TYPE, body };
}

async function requireContainer({ catalog }: Context, { account, container }: Call): Promise<void> {
  if (container === "") return;
  const row = await catalog.useContainer(account, container, ({ visible }) => visible);
  if (row === undefined) throw containerNotFound(container);
}

interface Page {
  readonly countMax: number;
  readonly from: Position;
}

async function search(
  context: Context,
  call: Call,
  { holds }: TagExpression,
  { countMax, from }: Page,
): Promise<{ readonly blobs: readonly Found[]; readonly next: string }> {
  const blobs: Found[] = [];
  let position = from;
  for (;;) {
    const rows = await tagged(context, call, position);
    for (const row of rows) {
      const tags = readTags(row.tags);
      const tag = (name: string) => (name === "@container" ? row.container : tags[name]);
      if (!holds(tag)) continue;
      if (blobs.length === countMax) return { blobs, next: markerOf(blobs.at(-1)) };
      blobs.push(row);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PAGE) return { blobs, next: "" };
    position = { container: last.container, blob: last.name };
  }
}

/** The next blobs that have tags, in the order of containers and names. */
async function tagged({ store }: Context, { account, container }: Call, from: Position) {
  let rows = store.db
    .selectFrom("blob")
    .innerJoin("container", "container.id", "blob.containerId")
    .select(["blob.name", "container.name as container", "blob.tags"])
    .where("container.account", "=", account)
    .where("blob.tags", "is not", null)
    .where("blob.snapshot", "=", "")
    .where((is) =>
      is.or([
        is("container.name", ">", from.container),
        is.and([is("container.name", "=", from.container), is("blob.name", ">", from.blob)]),
      ]),
    );
  if (container !== "") rows = rows.where("container.name", "=", container);
  const found = await rows
    .orderBy("container.name")
    .orderBy("blob.name")
    .limit(ROWS_PAGE)
    .execute();
  return found.map(({ name, container: its, tags }): Found => {
    return { name, container: its, tags: tags ?? "{}" };
  });
}

function parseWhere(where: string): TagExpression {
  if (where === "") {
    const said = "The query parameter where is required, such as \"project\" = 'atoll'.";
    throw new Problem(400, "MissingRequiredQueryParameter", said, {
      fields: { QueryParameterName: "where" },
    });
  }
  try {
    return parseTagExpression(where, "search");
  } catch (error) {
    if (!(error instanceof TagExpressionError)) throw error;
    throw invalidParameter("where", where, `where is "${where}": ${error.message}.`);
  }
}

function markerOf(last: Found | undefined): string {
  if (last === undefined) return "";
  return Buffer.from(JSON.stringify([last.container, last.name])).toString("base64url");
}

function parseMarker(marker: string): Position {
  if (marker === "") return { container: "", blob: "" };
  try {
    const parts: unknown = JSON.parse(Buffer.from(marker, "base64url").toString());
    const [container, blob]: unknown[] = Array.isArray(parts) ? parts : [];
    const isPosition = typeof container === "string" && typeof blob === "string";
    // No store can look for the character of code 0, and no name has it.
    if (isPosition && !(container + blob).includes("\0")) return { container, blob };
  } catch {
    // Refused below, like any other text that is no marker.
  }
  const said = `marker is "${marker}", which was not given as a NextMarker.`;
  throw invalidParameter("marker", marker, said);
}

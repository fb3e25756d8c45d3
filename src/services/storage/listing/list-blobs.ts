import { headerIn } from "#platform/http/dialect.ts";
import type { Answer, Call } from "../call.ts";
import { containerNotFound } from "../containers/find.ts";
import type { Context } from "../context.ts";
import { xmlBody, XML_TYPE } from "../protocol/xml-text.ts";
import { KEPT_MS } from "../state/staging.ts";
import { scanBlobs } from "./blob-scan.ts";
import { entryWriter } from "./blob-xml.ts";
import { enumerationXml, parsePageQuery } from "./page-query.ts";
import { onDisk } from "./on-disk.ts";

/** What can be asked for. Of what a blob does not have, a listing shows nothing. */
const INCLUDES: ReadonlySet<string> = new Set([
  "copy",
  "deleted",
  "deletedwithversions",
  "immutabilitypolicy",
  "legalhold",
  "metadata",
  "snapshots",
  "tags",
  "uncommittedblobs",
  "versions",
]);

/** `GET /{account}/{container}?restype=container&comp=list` */
export async function listBlobs(context: Context, call: Call): Promise<Answer> {
  const { catalog, store, environment } = context;
  const { account, container, query, version } = call;
  const page = parsePageQuery(query, INCLUDES);
  const row = await catalog.useContainer(account, container, (entry) => entry.visible);
  if (row === undefined) throw containerNotFound(container);
  // Blocks that wait for a name are dropped so long after the last one came.
  const touchedAfter = new Date(environment.now().getTime() - KEPT_MS).toISOString();
  const where = { containerId: row.id, touchedAfter };
  const now = environment.now();
  const sequenceNumber = headerIn(call.request.dialect, "x-svc-blob-sequence-number");
  const options = { context, include: page.include, version, now, sequenceNumber };
  const { entries, next } = await scanBlobs(store.db, where, page, entryWriter(options));
  await onDisk(context);
  const { start, end } = enumerationXml(call, page, next);
  const body = [xmlBody(`${start}<Blobs>`), entries, Buffer.from(`</Blobs>${end}`)];
  return { status: 200, headers: XML_TYPE, body: Buffer.concat(body) };
}

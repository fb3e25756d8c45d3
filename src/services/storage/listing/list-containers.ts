import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import { ACCOUNT_SCOPE } from "../encryption/content-key.ts";
import { httpDate } from "../protocol/answer-headers.ts";
import { SINCE } from "../protocol/versions.ts";
import { xmlBody, xmlElement, XML_TYPE } from "../protocol/xml-text.ts";
import type { ContainerRow } from "../store.ts";
import { leaseElements } from "./lease-xml.ts";
import { metadataXml } from "./metadata-xml.ts";
import { onDisk } from "./on-disk.ts";
import { enumerationXml, parsePageQuery, type PageQuery } from "./page-query.ts";
import { behindPrefix, markerOf } from "./position.ts";

/** Nothing is deleted softly here, and there are no containers of the system's own. */
const INCLUDES: ReadonlySet<string> = new Set(["deleted", "metadata", "system"]);

/** `GET /{account}?comp=list` */
export async function listContainers(context: Context, call: Call): Promise<Answer> {
  const page = parsePageQuery(call.query, INCLUDES);
  const rows = await readRows(context, call.account, page);
  await onDisk(context);
  const shown = rows.slice(0, page.countMax);
  const last = shown.at(-1);
  const next =
    rows.length > shown.length && last !== undefined
      ? markerOf({ name: last.name, shown: { snapshot: "" } })
      : "";
  const now = context.environment.now();
  const containers = shown.map((row) => containerXml(row, page, call.version, now)).join("");
  const { start, end } = enumerationXml(call, page, next);
  const body = xmlBody(`${start}<Containers>${containers}</Containers>${end}`);
  return { status: 200, headers: XML_TYPE, body };
}

/** One more than the page shows, where there is one more. */
function readRows({ store }: Context, account: string, page: PageQuery): Promise<ContainerRow[]> {
  const { prefix, position, countMax } = page;
  let rows = store.db.selectFrom("container").selectAll().where("account", "=", account);
  const end = prefix === "" ? undefined : behindPrefix(prefix);
  if (prefix !== "") rows = rows.where("name", ">=", prefix);
  if (end !== undefined) rows = rows.where("name", "<", end);
  if (position !== undefined) rows = rows.where("name", ">", position.name);
  return rows
    .orderBy("name")
    .limit(countMax + 1)
    .execute();
}

function containerXml(row: ContainerRow, page: PageQuery, version: string, now: Date): string {
  return (
    `<Container>${xmlElement("Name", row.name)}<Properties>` +
    xmlElement("Last-Modified", httpDate(row.lastModified)) +
    `<Etag>"${row.etag}"</Etag>` +
    leaseElements(row.lease, version, now) +
    xmlElement("PublicAccess", row.publicAccess ?? undefined) +
    (version >= SINCE.containerScope
      ? xmlElement("DefaultEncryptionScope", row.defaultEncryptionScope ?? ACCOUNT_SCOPE) +
        xmlElement("DenyEncryptionScopeOverride", String(row.denyEncryptionScopeOverride === 1))
      : "") +
    (version >= SINCE.creationTime
      ? "<HasImmutabilityPolicy>false</HasImmutabilityPolicy><HasLegalHold>false</HasLegalHold>"
      : "") +
    `</Properties>${page.include.has("metadata") ? metadataXml(row.metadata) : ""}</Container>`
  );
}

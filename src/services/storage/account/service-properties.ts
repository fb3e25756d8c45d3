import type { FastifyRequest } from "fastify";
import { accountNotFound } from "../accounts/refusals.ts";
import type { Answer, Call } from "../call.ts";
import type { Context } from "../context.ts";
import {
  childOf,
  childText,
  invalidXml,
  parseXml,
  readXmlBody,
  type XmlElement,
} from "../protocol/xml-body.ts";
import { escapeXml, xmlBody, XML_TYPE } from "../protocol/xml-text.ts";
import type { ServiceRow } from "../store.ts";
import { SECTIONS } from "./service-sections.ts";

const BODY_MAX = 128 * 1024;
const ROOT = "StorageServiceProperties";

const OFF = "<Enabled>false</Enabled>";
const NO_METRICS = `<Version>1.0</Version>${OFF}<RetentionPolicy>${OFF}</RetentionPolicy>`;
/** What an account has that was never told anything. */
const DEFAULTS = parseXml(
  `<${ROOT}><Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read>` +
    `<Write>false</Write><RetentionPolicy>${OFF}</RetentionPolicy></Logging>` +
    `<HourMetrics>${NO_METRICS}</HourMetrics><MinuteMetrics>${NO_METRICS}</MinuteMetrics>` +
    `<Cors/><DeleteRetentionPolicy>${OFF}</DeleteRetentionPolicy>` +
    `<StaticWebsite>${OFF}</StaticWebsite></${ROOT}>`,
);

/** `GET /{account}?restype=service&comp=properties` */
export async function getServiceProperties(context: Context, call: Call): Promise<Answer> {
  const properties = await serviceProperties(context, call.account);
  return { status: 200, headers: XML_TYPE, body: xmlBody(xmlOf(properties)) };
}

/** `PUT /{account}?restype=service&comp=properties`: sections that are not sent stay. */
export async function setServiceProperties(context: Context, call: Call): Promise<Answer> {
  const { catalog } = context;
  const { account } = call;
  const sent = await readXmlBody(call, ROOT, BODY_MAX);
  for (const section of sent.children) {
    const check = SECTIONS.get(section.name);
    if (check === undefined) throw invalidXml(`<${section.name}> is no section of it.`);
    check(section);
  }
  return catalog.useService(account, async (entry) => {
    if (!context.keys.has(account)) throw accountNotFound(account);
    const existing = readProperties(entry.assigned);
    const children = [...SECTIONS.keys()].flatMap((name) => {
      const section = childOf(sent, name) ?? childOf(existing, name);
      return section === undefined ? [] : [section];
    });
    const properties = JSON.stringify({ name: ROOT, text: "", children });
    const row = { account, properties };
    await catalog.change(entry, row, { kind: "service", row });
    return { status: 202, headers: {} };
  });
}

/** The version that anonymous requests speak which do not say one; undefined where none is set. */
export async function defaultVersion(
  context: Context,
  { headers }: FastifyRequest,
  { account, query }: Pick<Call, "account" | "query">,
): Promise<string | undefined> {
  if (headers.authorization !== undefined || query.has("sig")) return undefined;
  return childText(await serviceProperties(context, account), "DefaultServiceVersion");
}

/** What has been set for an account, as the elements that were sent. */
export function serviceProperties({ catalog }: Context, account: string): Promise<XmlElement> {
  return catalog.useService(account, ({ visible }) => readProperties(visible));
}

function readProperties(row: ServiceRow | undefined): XmlElement {
  // Written by `setServiceProperties` and by nothing else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return row === undefined ? DEFAULTS : (JSON.parse(row.properties) as XmlElement);
}

function xmlOf({ name, text, children }: XmlElement): string {
  const content = children.length === 0 ? escapeXml(text) : children.map(xmlOf).join("");
  return `<${name}>${content}</${name}>`;
}

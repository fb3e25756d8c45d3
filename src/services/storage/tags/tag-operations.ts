import type { Answer, Call } from "../call.ts";
import { changeBlob } from "../blobs/change-blob.ts";
import { requireBlob } from "../blobs/get-blob.ts";
import type { Context } from "../context.ts";
import { SINCE, requireSince } from "../protocol/versions.ts";
import { readXmlBody } from "../protocol/xml-body.ts";
import { XML_TYPE, xmlBody } from "../protocol/xml-text.ts";
import { tagsOfXml, tagsXml } from "./tags.ts";

/** Bytes of the body of Set Blob Tags. */
const BODY_MAX = 64 * 1024;

/** `GET /{account}/{container}/{blob}?comp=tags` */
export async function getBlobTags(context: Context, call: Call): Promise<Answer> {
  requireSince(call.version, SINCE.tags, "Get Blob Tags");
  const { tags } = await requireBlob(context, call);
  return { status: 200, headers: XML_TYPE, body: xmlBody(tagsXml(tags)) };
}

/**
 * `PUT /{account}/{container}/{blob}?comp=tags`: all tags, in place of those that were there.
 * Entity tag and time stay.
 */
export async function setBlobTags(context: Context, call: Call): Promise<Answer> {
  requireSince(call.version, SINCE.tags, "Set Blob Tags");
  const tags = tagsOfXml(await readXmlBody(call, "Tags", BODY_MAX));
  await changeBlob(context, call, ({ lease }) => ({ tags, lease }));
  return { status: 204, headers: {} };
}

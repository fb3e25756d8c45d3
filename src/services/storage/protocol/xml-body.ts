import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { crc64 } from "#engines/blocks/crc64.ts";
import { Problem } from "#platform/problem.ts";
import type { Call } from "../call.ts";
import { requireChecksums, sentChecksums } from "./checksums.ts";
import { contentLength, tooLarge } from "./header-values.ts";

/** Elements may lie in each other this deep. */
const DEPTH_MAX = 16;

/** An element of a request's body. Attributes are not part of any body of this protocol. */
export interface XmlElement {
  readonly name: string;
  /** The text directly in the element, as it was sent. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/**
 * The root element of the body of a request. Refuses a body over `bytesMax` with 413, and with
 * 400 one that has other hashes than were sent, is no XML or has another root.
 */
export async function readXmlBody(
  { headers, request }: Call,
  root: string,
  bytesMax: number,
): Promise<XmlElement> {
  const length = contentLength(headers);
  if (length > bytesMax) throw tooLarge("The body", length, bytesMax);
  const sent = sentChecksums(headers, "content-md5", "x-svc-content-crc64");
  const chunks: Uint8Array[] = [];
  if (request.body instanceof Readable) {
    for await (const chunk of request.body) chunks.push(Buffer.from(chunk));
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== length) {
    const said = `The body has ${bytes.length} bytes; Content-Length says ${length}.`;
    throw new Problem(400, "InvalidOperation", said);
  }
  const md5 = createHash("md5").update(bytes).digest();
  requireChecksums(sent, { md5, crc64: crc64(bytes) });
  const element = parseXml(bytes.toString("utf8"));
  if (element.name === root) return element;
  throw invalidXml(`Its root is <${element.name}>, not <${root}>.`);
}

/** The first child of a name. */
export function childOf({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((child) => child.name === name);
}

/** The text of the first child of a name, without white space around it. */
export function childText(element: XmlElement, name: string): string | undefined {
  return childOf(element, name)?.text.trim();
}

/** 400 for a child whose text is not what belongs there; `why` ends the sentence. */
export function invalidXmlNode(name: string, value: string, why: string): Problem {
  return new Problem(400, "InvalidXmlNodeValue", `<${name}> is "${value}", ${why}.`, {
    fields: { XmlNodeName: name, XmlNodeValue: value },
  });
}

/** 400 for a child that has to be there. */
export function missingXmlNode(name: string, parent: string): Problem {
  const said = `<${parent}> has no <${name}>, which is required.`;
  return new Problem(400, "MissingRequiredXmlNode", said, { fields: { XmlNodeName: name } });
}

export function invalidXml(why: string): Problem {
  const said = `The body is not the XML that this operation takes. ${why}`;
  return new Problem(400, "InvalidXmlDocument", said);
}

/** Text, a comment, declaration, CDATA section or tag; document types are none of these. */
const TOKEN = new RegExp(
  [
    "([^<]+)",
    "<!--.*?-->",
    "<\\?.*?\\?>",
    "<!\\[CDATA\\[(.*?)\\]\\]>",
    "<(/?)([A-Za-z_][\\w.:-]*)(?:\\s+[\\w.:-]+\\s*=\\s*(?:\"[^\"<]*\"|'[^'<]*'))*\\s*(/?)>",
  ].join("|"),
  "sy",
);

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/** Reads a document. Only the five entities of XML and character references are known. */
export function parseXml(document: string): XmlElement {
  const source = document.replace(/^\uFEFF/, "");
  const top: OpenElement = { name: "", text: "", children: [] };
  const open: OpenElement[] = [top];
  let at = 0;
  while (at < source.length) {
    TOKEN.lastIndex = at;
    const [all, text, cdata, slash, name, closed] = TOKEN.exec(source) ?? [];
    if (all === undefined) throw invalidXml(`At character ${at} is no tag.`);
    at += all.length;
    addText(open, text === undefined ? cdata : unescaped(text));
    if (name !== undefined) step(open, name, slash === "/", closed === "/");
  }
  const [root, second] = top.children;
  const isWhole = open.length === 1 && second === undefined && top.text.trim() === "";
  if (isWhole && root !== undefined) return root;
  throw invalidXml("It has no root, more than one, or one that is not closed.");
}

function addText(open: readonly OpenElement[], text: string | undefined): void {
  const inside = open.at(-1);
  if (inside !== undefined && text !== undefined) inside.text += text;
}

function step(open: OpenElement[], name: string, isEnd: boolean, isEmpty: boolean): void {
  if (isEnd) {
    const last = open.length > 1 ? open.pop() : undefined;
    if (last?.name !== name) throw invalidXml(`</${name}> closes nothing.`);
    return;
  }
  if (open.length > DEPTH_MAX) throw invalidXml(`It is more than ${DEPTH_MAX} elements deep.`);
  const element: OpenElement = { name, text: "", children: [] };
  open.at(-1)?.children.push(element);
  if (!isEmpty) open.push(element);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  return text.replaceAll(/&([^;&\s]{0,10};)?/g, (all, reference: string | undefined) => {
    const name = reference?.slice(0, -1) ?? "";
    const known = ENTITIES[name] ?? characterOf(name);
    if (known === undefined) throw invalidXml(`${all} is no reference to a character.`);
    return known;
  });
}

function characterOf(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

import { badQuery } from "../protocol/refusals.ts";

/** An element of a query in FetchXML; text beside elements only counts in `value`. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const DEPTH_MAX = 50;
const TAG = /<(\/)?([A-Za-z][\w-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/)?>/y;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Elements, attributes and text: no declarations, comments or references to elsewhere. */
export function readXml(xml: string): Element {
  const root: Open = { name: "", attributes: {}, children: [], text: "" };
  const open: Open[] = [root];
  let at = 0;
  while (at < xml.length) {
    const next = xml.indexOf("<", at);
    const current = open.at(-1) ?? root;
    current.text += unescaped(xml.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(xml);
    if (tag === null) throw badQuery(`The FetchXML cannot be read at position ${next}.`);
    take(open, tag);
    at = TAG.lastIndex;
  }
  const [element, ...more] = root.children;
  if (open.length > 1 || element === undefined || more.length > 0) {
    throw badQuery("The FetchXML is not one element that is closed.");
  }
  return element;
}

function take(open: Open[], [, end, name = "", attributes = "", self]: RegExpExecArray): void {
  if (end !== undefined) close(open, name);
  else {
    if (open.length > DEPTH_MAX) {
      throw badQuery(`The FetchXML is deeper than ${DEPTH_MAX} elements.`);
    }
    const element = { name, attributes: attributesOf(attributes), children: [], text: "" };
    open.at(-1)?.children.push(element);
    if (self === undefined) open.push(element);
  }
}

function close(open: Open[], name: string): void {
  const closed = open.length > 1 ? open.pop() : undefined;
  if (closed?.name !== name) throw badQuery(`</${name}> closes no element of the FetchXML.`);
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, key = "", double, single]) => [
      key,
      unescaped(double ?? single ?? ""),
    ]),
  );
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return ENTITIES[name] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : "";
  });
}

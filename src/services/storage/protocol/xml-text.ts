/** Begins every XML body that is answered: clients of the protocol have always seen the mark. */
const XML_START = '\uFEFF<?xml version="1.0" encoding="utf-8"?>';

/** What XML 1.0 cannot hold, however it is written. */
const UNWRITABLE = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const ALL_UNWRITABLE = new RegExp(UNWRITABLE, "gu");
/** All of it, and more: what has none of these is written as it is. Listings ask this often. */
const SPECIAL = /[^\t\n\x20!#-%'-;=?-\uD7FF\uE000-\uFFFD]/;

/** Text as the content of an element or attribute. What XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#xD;")
    .replaceAll(ALL_UNWRITABLE, "\uFFFD");
}

/** Whether XML can hold the text at all. */
export function isXmlText(text: string): boolean {
  return !SPECIAL.test(text) || !UNWRITABLE.test(text);
}

/** `<name>text</name>`; nothing at all where the text is undefined. */
export function xmlElement(name: string, text: string | number | undefined): string {
  return text === undefined ? "" : `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** A whole body, from its root element. */
export function xmlBody(root: string): Uint8Array {
  return Buffer.from(XML_START + root);
}

export const XML_TYPE = { "content-type": "application/xml" } as const;

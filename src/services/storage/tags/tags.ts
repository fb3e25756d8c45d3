import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "#platform/problem.ts";
import { headerValue, invalidHeader } from "../protocol/header-values.ts";
import { childOf, childText, missingXmlNode, type XmlElement } from "../protocol/xml-body.ts";
import { xmlElement } from "../protocol/xml-text.ts";

const TAG_COUNT_MAX = 10;
/** Characters. */
const NAME_MAX = 128;
const VALUE_MAX = 256;
const CHARACTERS = /^[A-Za-z0-9 +\-./:=_]*$/;

type Pair = readonly [name: string, value: string];

/** The tags of `x-svc-tags` as they are stored: `a=1&b=2`, percent-encoded. Null if none. */
export function tagsHeader(headers: IncomingHttpHeaders): string | null {
  const value = headerValue(headers, "x-svc-tags");
  if (value === undefined || value === "") return null;
  return storedTags(value.split("&").map((part) => pairOf(part, value)));
}

function pairOf(part: string, value: string): Pair {
  const at = part.indexOf("=");
  if (at < 0) throw invalidHeader("x-svc-tags", value, "which is not name=value&name=value");
  try {
    const [name, text] = [part.slice(0, at), part.slice(at + 1)].map((encoded) =>
      decodeURIComponent(encoded.replaceAll("+", " ")),
    );
    return [name ?? "", text ?? ""];
  } catch {
    throw invalidHeader("x-svc-tags", value, "which is not percent-encoded UTF-8");
  }
}

/** The tags of `<Tags><TagSet><Tag><Key/><Value/></Tag></TagSet></Tags>`. */
export function tagsOfXml(tags: XmlElement): string | null {
  const set = childOf(tags, "TagSet");
  if (set === undefined) throw missingXmlNode("TagSet", "Tags");
  const pairs = set.children
    .filter(({ name }) => name === "Tag")
    .map((tag): Pair => {
      const name = childText(tag, "Key");
      if (name === undefined) throw missingXmlNode("Key", "Tag");
      return [name, childOf(tag, "Value")?.text ?? ""];
    });
  return storedTags(pairs);
}

/** The same as a body; of `only`, where given, those that it names. */
export function tagsXml(stored: string | null, only?: ReadonlySet<string>): string {
  const tags = Object.entries(readTags(stored))
    .filter(([name]) => only === undefined || only.has(name))
    .map(([name, value]) => `<Tag>${xmlElement("Key", name)}${xmlElement("Value", value)}</Tag>`);
  return `<Tags><TagSet>${tags.join("")}</TagSet></Tags>`;
}

/** Stored tags by name. */
export function readTags(stored: string | null): Readonly<Record<string, string>> {
  if (stored === null) return {};
  const tags: Readonly<Record<string, string>> = JSON.parse(stored);
  return tags;
}

export function tagCount(stored: string | null): number {
  return Object.keys(readTags(stored)).length;
}

function storedTags(pairs: readonly Pair[]): string | null {
  if (pairs.length === 0) return null;
  if (pairs.length > TAG_COUNT_MAX) {
    const said = `There are ${pairs.length} tags; at most ${TAG_COUNT_MAX} are allowed.`;
    throw new Problem(400, "TagsTooLarge", said);
  }
  for (const pair of pairs) checkTag(pair);
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) {
    throw new Problem(400, "DuplicateTagNames", "Two tags have the same name.");
  }
  return JSON.stringify(Object.fromEntries(pairs));
}

function checkTag([name, value]: Pair): void {
  if (name === "") throw new Problem(400, "EmptyTagName", "A tag has no name.");
  if (name.length > NAME_MAX || value.length > VALUE_MAX) {
    throw new Problem(
      400,
      "TagsTooLarge",
      `A tag's name has ${name.length} and its value ${value.length} characters; ${NAME_MAX} and ` +
        `${VALUE_MAX} are the limits.`,
    );
  }
  if (CHARACTERS.test(name) && CHARACTERS.test(value)) return;
  const said = `The tag "${name}" has more than letters, digits, spaces and + - . / : = _ in it.`;
  throw new Problem(400, "InvalidTag", said);
}

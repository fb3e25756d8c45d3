import type { Json, JsonBag } from "../../types.ts";

/** Longer text is not read. */
const XML_MAX_CHARACTERS = 1_048_576;
const NESTING_MAX = 500;

const NAME = "[\\p{L}_:][\\p{L}\\p{N}_:.\\-]*";
/** Declarations, comments and the like are skipped. */
const SKIPPED =
  "<\\?[^]*?\\?>|<!--[^]*?-->|<!\\[CDATA\\[[^]*?\\]\\]>|<![Dd][Oo][Cc][Tt][Yy][Pp][Ee][^[>]*>";
const TOKEN = new RegExp(
  `<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>|[^<]+|(${SKIPPED})`,
  "uy",
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "gu");
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

interface Element {
  readonly name: string;
  /** Attributes with `@` before their names, then elements and `#text`, in order. */
  readonly members: (readonly [string, Json])[];
}

/** An XML document as a bag; null when it is not well-formed or too long. */
export function parseXml(text: string): Json {
  if (text.length > XML_MAX_CHARACTERS) return null;
  const source = text.trim();
  const document: Element = { name: "", members: [] };
  const open = [document];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const token = TOKEN.exec(source);
    if (token === null || !readToken(open, token)) return null;
  }
  const [root] = document.members;
  const isWhole = open.length === 1 && document.members.length === 1;
  return isWhole && root !== undefined && root[0] !== "#text" ? Object.fromEntries([root]) : null;
}

/** False when the token may not stand here. */
function readToken(open: Element[], token: RegExpExecArray): boolean {
  const [text, slash, name, attributes = "", end, skipped] = token;
  if (skipped !== undefined) return true;
  const parent = open.at(-1);
  if (parent === undefined || open.length > NESTING_MAX) return false;
  if (name === undefined) {
    const content = text.trim();
    if (content !== "") parent.members.push(["#text", decodeEntities(content)]);
    return true;
  }
  if (slash === "/") return close(open, name);
  const members = Array.from(attributes.matchAll(ATTRIBUTE), ([, key = "", double, single]) => {
    return [`@${key}`, decodeEntities(double ?? single ?? "")] as const;
  });
  open.push({ name, members });
  return end === "/" ? close(open, name) : true;
}

function close(open: Element[], name: string): boolean {
  const element = open.pop();
  const parent = open.at(-1);
  if (element === undefined || parent === undefined || element.name !== name) return false;
  parent.members.push([name, valueOf(element)]);
  return true;
}

/** Null when empty, a text when there is nothing else, otherwise a bag. */
function valueOf({ members }: Element): Json {
  const [first] = members;
  if (first === undefined) return null;
  if (members.length === 1 && first[0] === "#text") return first[1];
  return grouped(members);
}

/** Members of one name become an array. */
function grouped(members: Element["members"]): JsonBag {
  const groups = Map.groupBy(members, ([name]) => name);
  const entries = Array.from(groups, ([name, same]) => {
    const values = same.map(([, value]) => value);
    return [name, values.length === 1 ? (values[0] ?? null) : values] as const;
  });
  return Object.fromEntries(entries);
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    ENTITY,
    (entity: string, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? entity;
      const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return codePoint <= 0x10_ffff ? String.fromCodePoint(codePoint) : entity;
    },
  );
}

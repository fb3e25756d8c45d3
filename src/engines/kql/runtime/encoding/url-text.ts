import { decodeUtf8 } from "./base64.ts";

const PLAIN = /[A-Za-z0-9\-_.!*()]/;
const ESCAPED_BYTE = /%([0-9a-f]{2})/gi;

/** Percent-encodes in lower-case digits, with the given text for a space. */
export function encodeUrl(text: string, space: "+" | "%20"): string {
  return Array.from(text, (character) => {
    if (PLAIN.test(character)) return character;
    return character === " " ? space : percentBytes(character);
  }).join("");
}

/** Decodes `%41` and `+`; what is not UTF-8 then is left as it came. */
export function decodeUrl(text: string): string {
  const latin = Buffer.from(text.replaceAll("+", " "), "utf8").toString("latin1");
  const bytes = latin.replaceAll(ESCAPED_BYTE, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
  return decodeUtf8(Buffer.from(bytes, "latin1")) ?? text;
}

function percentBytes(character: string): string {
  const bytes = Array.from(Buffer.from(character, "utf8"));
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

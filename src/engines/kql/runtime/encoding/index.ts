import type { Json } from "../../types.ts";
import { guidBytes, guidText } from "../hash/value-bytes.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { decodeBase64, decodeUtf8, encodeBase64 } from "./base64.ts";
import { gunzip, gzip, unzlib, zlib } from "./compression.ts";
import { decodeUrl, encodeUrl } from "./url-text.ts";

const GUID_BYTES = 16;
const HEX_LENGTH_MAX = 64n;

/** Base64, compressed text, URLs and hexadecimal digits; what does not decode is empty or null. */
export const encodingFunctions: readonly RuntimeFunction[] = [
  ...["base64_encode_tostring", "base64_encodestring"].map((name) =>
    runtimeFunction(name, ["string"], "string", (text) => encodeBase64(Buffer.from(text, "utf8"))),
  ),
  ...["base64_decode_tostring", "base64_decodestring"].map((name) =>
    runtimeFunction(name, ["string"], "string", (text) => textOf(decodeBase64(text))),
  ),
  runtimeFunction("base64_decode_toarray", ["string"], "dynamic", (text) => {
    const bytes = decodeBase64(text);
    return bytes === null ? null : Array.from(bytes);
  }),
  runtimeFunction("base64_encode_fromarray", ["dynamic"], "string", encodeArray),
  runtimeFunction("base64_decode_toguid", ["string"], "guid", (text) => {
    const bytes = decodeBase64(text);
    return bytes?.length === GUID_BYTES ? guidText(bytes) : null;
  }),
  runtimeFunction("base64_encode_fromguid", ["guid"], "string", (guid) =>
    encodeBase64(guidBytes(guid)),
  ),
  ...compressions("gzip", gzip, gunzip),
  ...compressions("zlib", zlib, unzlib),
  runtimeFunction("url_encode", ["string"], "string", (text) => encodeUrl(text, "+")),
  runtimeFunction("url_encode_component", ["string"], "string", (text) => encodeUrl(text, "%20")),
  runtimeFunction("url_decode", ["string"], "string", decodeUrl),
  runtimeFunction("tohex", ["long", "long?"], "string", (value, minLength) => {
    const length = minLength ?? 0n;
    const digits = BigInt.asUintN(64, value).toString(16);
    return digits.padStart(Number(length > HEX_LENGTH_MAX ? HEX_LENGTH_MAX : length), "0");
  }),
];

function compressions(
  name: string,
  compress: (bytes: Buffer) => Buffer,
  decompress: (bytes: Buffer) => Buffer | null,
): RuntimeFunction[] {
  return [
    runtimeFunction(`${name}_compress_to_base64_string`, ["string"], "string", (text) =>
      encodeBase64(compress(Buffer.from(text, "utf8"))),
    ),
    runtimeFunction(`${name}_decompress_from_base64_string`, ["string"], "string", (text) => {
      const bytes = decodeBase64(text);
      return textOf(bytes === null ? null : decompress(bytes));
    }),
  ];
}

function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? "" : (decodeUtf8(bytes) ?? "");
}

function encodeArray(array: Json): string {
  if (!Array.isArray(array)) return "";
  const bytes = array.map(Number);
  const isBytes = bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isBytes ? encodeBase64(Uint8Array.from(bytes)) : "";
}

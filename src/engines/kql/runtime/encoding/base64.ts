const ALPHABET = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a text in base64 with its padding; null when it is none. */
export function decodeBase64(text: string): Buffer | null {
  return ALPHABET.test(text) ? Buffer.from(text, "base64") : null;
}

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/** The text that the bytes are in UTF-8; null when they are not. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

import { xmlElement } from "../protocol/xml-text.ts";

/** Stored metadata as `<Metadata>`. Its names are names of elements as well. */
export function metadataXml(stored: string): string {
  if (stored === "{}") return "<Metadata />";
  const metadata: object = JSON.parse(stored);
  const elements = Object.entries(metadata).map(([name, value]) => xmlElement(name, String(value)));
  return `<Metadata>${elements.join("")}</Metadata>`;
}

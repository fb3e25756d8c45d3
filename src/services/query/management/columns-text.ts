import { SYSTEM_TYPES, type KqlColumn } from "#engines/kql/types.ts";
import { quotedName } from "./result.ts";

/** `a:long,b:string` */
export function columnsText(columns: readonly KqlColumn[]): string {
  return columns.map(({ name, type }) => `${quotedName(name)}:${type}`).join(",");
}

/** A column as schemas in JSON hold it. */
export function columnJson({ name, type, docString }: KqlColumn & { readonly docString?: string }) {
  return {
    Name: name,
    Type: SYSTEM_TYPES[type],
    CslType: type,
    ...(docString !== undefined && docString !== "" && { DocString: docString }),
  };
}

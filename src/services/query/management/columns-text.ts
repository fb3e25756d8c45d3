import type { KqlColumn, KqlType } from "#engines/kql/types.ts";
import { quotedName } from "./result.ts";

/** Names of the types in the schemas that editors read. */
export const SYSTEM_TYPES: Readonly<Record<KqlType, string>> = {
  bool: "System.SByte",
  int: "System.Int32",
  long: "System.Int64",
  real: "System.Double",
  decimal: "System.Data.SqlTypes.SqlDecimal",
  string: "System.String",
  datetime: "System.DateTime",
  timespan: "System.TimeSpan",
  guid: "System.Guid",
  dynamic: "System.Object",
};

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

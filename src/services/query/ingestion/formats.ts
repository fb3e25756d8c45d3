import type { MappingKind } from "../catalog/catalog-schema.ts";
import { IngestionError } from "./ingestion-error.ts";

/** How records lie in the bytes. */
export type Layout =
  | { readonly kind: "delimited"; readonly delimiter: string; readonly hasEscapes: boolean }
  | { readonly kind: "lines" }
  | { readonly kind: "whole" }
  | { readonly kind: "json-lines" }
  | { readonly kind: "json-values" }
  | { readonly kind: "avro" }
  | { readonly kind: "parquet" };

export interface Format {
  readonly name: string;
  readonly layout: Layout;
  /** The kind of mapping that fits. */
  readonly mapping: MappingKind;
}

const FORMATS: readonly Format[] = [
  delimited("csv", ","),
  delimited("tsv", "\t"),
  delimited("tsve", "\t", true),
  delimited("scsv", ";"),
  delimited("sohsv", "\u0001"),
  delimited("psv", "|"),
  { name: "txt", layout: { kind: "lines" }, mapping: "csv" },
  { name: "raw", layout: { kind: "whole" }, mapping: "csv" },
  { name: "json", layout: { kind: "json-lines" }, mapping: "json" },
  { name: "multijson", layout: { kind: "json-values" }, mapping: "json" },
  { name: "singlejson", layout: { kind: "json-values" }, mapping: "json" },
  { name: "avro", layout: { kind: "avro" }, mapping: "avro" },
  { name: "apacheavro", layout: { kind: "avro" }, mapping: "avro" },
  { name: "parquet", layout: { kind: "parquet" }, mapping: "parquet" },
];

function delimited(name: string, delimiter: string, hasEscapes = false): Format {
  return { name, layout: { kind: "delimited", delimiter, hasEscapes }, mapping: "csv" };
}

/** The format of this name, in upper or lower case. */
export function formatNamed(name: string): Format {
  const format = FORMATS.find((known) => known.name === name.toLowerCase());
  if (format !== undefined) return format;
  const names = FORMATS.map((known) => known.name).join(", ");
  throw new IngestionError("unknown-format", `There is no format '${name}'; there are ${names}.`);
}

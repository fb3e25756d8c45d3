import { isLookup } from "../definitions/table.ts";
import type { Column, ColumnType } from "../definitions/types.ts";

const TYPES: Readonly<Record<ColumnType, string>> = {
  BigInt: "Edm.Int64",
  Boolean: "Edm.Boolean",
  Customer: "Edm.Guid",
  DateTime: "Edm.DateTimeOffset",
  Decimal: "Edm.Decimal",
  Double: "Edm.Double",
  EntityName: "Edm.String",
  Integer: "Edm.Int32",
  Lookup: "Edm.Guid",
  Memo: "Edm.String",
  Money: "Edm.Decimal",
  Owner: "Edm.Guid",
  Picklist: "Edm.Int32",
  State: "Edm.Int32",
  Status: "Edm.Int32",
  String: "Edm.String",
  Uniqueidentifier: "Edm.Guid",
};

/** The type of a column's values in the interface. */
export function edmType(column: Column): string {
  const isDay = column.type === "DateTime" && column.behavior === "DateOnly";
  return isDay ? "Edm.Date" : TYPES[column.type];
}

/** The kinds of attributes that clients cast to, by column type. */
export function metadataType(column: Column): string {
  if (isLookup(column)) return "LookupAttributeMetadata";
  if (column.type === "Uniqueidentifier") return "UniqueIdentifierAttributeMetadata";
  return `${column.type}AttributeMetadata`;
}

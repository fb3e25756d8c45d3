import {
  bigint,
  boolean,
  dateTime,
  guid,
  integer,
  memo,
  money,
  picklist,
  text,
  type Named,
} from "../definitions/columns.ts";
import type { Column, Option, RequiredLevel } from "../definitions/types.ts";
import { badBody, notImplemented, shown } from "../protocol/refusals.ts";
import { isBody, type Body } from "../rows/body.ts";

const NAME = /^[a-z][a-z0-9]{1,7}_[a-z0-9_]{1,41}$/;
const LENGTH_MAX = 4000;
const MEMO_LENGTH_MAX = 1_048_576;
const OPTIONS_MAX = 1000;
const LEVELS: readonly RequiredLevel[] = ["ApplicationRequired", "None", "Recommended"];

/** The logical name that a schema name has: a prefix, an underscore and a name, 50 at most. */
export function logicalNameOf(schemaName: unknown, what: string): string {
  const name = typeof schemaName === "string" ? schemaName.toLowerCase() : "";
  if (NAME.test(name) && !name.startsWith("svc_")) return name;
  throw badBody(
    `The SchemaName ${shown(schemaName)} of a ${what} is not a prefix of 2 to 8 characters other ` +
      "than svc, an underscore and up to 41 letters, digits or underscores.",
  );
}

/** An `AttributeMetadata` as a column. */
export function readAttribute(body: unknown): Column {
  if (!isBody(body)) throw badBody(`An attribute is an object, not ${shown(body)}.`);
  const { "@odata.type": sent } = body;
  const type = (typeof sent === "string" ? sent : "").replace(/^#?Microsoft\.Dynamics\.CRM\./, "");
  const make = KINDS.get(type);
  if (make === undefined) throw notImplemented(`An attribute of the @odata.type ${shown(type)}`);
  const name = logicalNameOf(body["SchemaName"], "column");
  return make(name, namedBy(body, name), body);
}

type Make = (name: string, named: Named, body: Body) => Column;

const KINDS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["BigIntAttributeMetadata", (name, named) => bigint(name, named)],
  ["BooleanAttributeMetadata", (name, named) => boolean(name, named)],
  ["DateTimeAttributeMetadata", readDateTime],
  ["DecimalAttributeMetadata", (name, named, body) => readDecimal("Decimal", name, named, body)],
  ["DoubleAttributeMetadata", (name, named, body) => readDecimal("Double", name, named, body)],
  ["IntegerAttributeMetadata", readInteger],
  ["MemoAttributeMetadata", readMemo],
  ["MoneyAttributeMetadata", (name, named) => money(name, named)],
  ["PicklistAttributeMetadata", readPicklist],
  ["StringAttributeMetadata", readText],
  ["UniqueIdentifierAttributeMetadata", (name, named) => guid(name, named)],
]);

function namedBy(body: Body, name: string): Named {
  const level = isBody(body["RequiredLevel"]) ? body["RequiredLevel"]["Value"] : "None";
  const required = LEVELS.find((one) => one === level);
  if (required === undefined) {
    throw badBody(`The RequiredLevel ${shown(level)} of ${name} is not ${LEVELS.join(" or ")}.`);
  }
  return {
    schemaName: String(body["SchemaName"]),
    displayName: readLabel(body["DisplayName"]) ?? name,
    description: readLabel(body["Description"]) ?? "",
    required,
  };
}

/** The first text of a label. */
export function readLabel(label: unknown): string | undefined {
  if (!isBody(label)) return undefined;
  const labels: readonly unknown[] = Array.isArray(label["LocalizedLabels"])
    ? label["LocalizedLabels"]
    : [label["UserLocalizedLabel"]];
  const [first] = labels;
  return isBody(first) && typeof first["Label"] === "string" ? first["Label"] : undefined;
}

function readText(name: string, named: Named, body: Body): Column {
  return text(name, { ...named, lengthMax: lengthOf(name, body, LENGTH_MAX) });
}

function readMemo(name: string, named: Named, body: Body): Column {
  return memo(name, { ...named, lengthMax: lengthOf(name, body, MEMO_LENGTH_MAX) });
}

function lengthOf(name: string, { MaxLength: length = 100 }: Body, max: number): number {
  if (typeof length === "number" && Number.isInteger(length) && length >= 1 && length <= max) {
    return length;
  }
  throw badBody(`The MaxLength ${shown(length)} of ${name} is not between 1 and ${max}.`);
}

function readInteger(name: string, named: Named, { MinValue, MaxValue }: Body): Column {
  return integer(name, {
    ...named,
    ...(Number.isInteger(MinValue) && { min: Number(MinValue) }),
    ...(Number.isInteger(MaxValue) && { max: Number(MaxValue) }),
  });
}

function readDecimal(
  type: "Decimal" | "Double",
  name: string,
  named: Named,
  { MinValue, MaxValue, Precision }: Body,
): Column {
  const range = {
    ...(typeof MinValue === "number" && { min: MinValue }),
    ...(typeof MaxValue === "number" && { max: MaxValue }),
  };
  const precision = typeof Precision === "number" ? Math.min(Math.max(Precision, 0), 10) : 2;
  return { ...money(name, { ...named, ...range }), type, precision };
}

function readDateTime(name: string, named: Named, body: Body): Column {
  const format = body["Format"] === "DateOnly" ? "DateOnly" : "DateAndTime";
  const said = isBody(body["DateTimeBehavior"]) ? body["DateTimeBehavior"]["Value"] : "UserLocal";
  const behavior = (["DateOnly", "TimeZoneIndependent", "UserLocal"] as const).find(
    (one) => one === said,
  );
  if (behavior === undefined) {
    throw badBody(`The DateTimeBehavior ${shown(said)} of ${name} is not known.`);
  }
  return dateTime(name, { ...named, format, behavior });
}

function readPicklist(name: string, named: Named, { OptionSet: set }: Body): Column {
  const sent: unknown = isBody(set) ? set["Options"] : undefined;
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > OPTIONS_MAX) {
    throw badBody(`The OptionSet of ${name} has 1 to ${OPTIONS_MAX} Options.`);
  }
  const list: readonly unknown[] = sent;
  const options = list.map((option): Option => {
    const value = isBody(option) ? option["Value"] : undefined;
    if (typeof value !== "number" || !Number.isInteger(value)) {
      throw badBody(`An option of ${name} has the Value ${shown(value)}, not a whole number.`);
    }
    return { value, label: (isBody(option) && readLabel(option["Label"])) || String(value) };
  });
  if (new Set(options.map(({ value }) => value)).size < options.length) {
    throw badBody(`Two options of ${name} have the same Value.`);
  }
  return picklist(name, { ...named, options });
}

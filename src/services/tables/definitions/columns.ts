import type {
  BooleanColumn,
  Cascade,
  Column,
  DateTimeColumn,
  DecimalColumn,
  EntityNameColumn,
  GuidColumn,
  IntegerColumn,
  LookupColumn,
  Option,
  PicklistColumn,
  Reference,
  RequiredLevel,
  StateColumn,
  TextColumn,
} from "./types.ts";

const INT32_MIN = -2_147_483_648;
const INT32_MAX = 2_147_483_647;
const TEXT_LENGTH = 100;

/** What a column's declaration may say beside its name and type. */
export interface Named {
  readonly schemaName?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly required?: RequiredLevel;
  /** Written by the service alone. */
  readonly readOnly?: boolean;
}

function base(logicalName: string, named: Named) {
  const isWritable = named.readOnly !== true;
  return {
    logicalName,
    schemaName: named.schemaName ?? logicalName,
    displayName: named.displayName ?? logicalName,
    description: named.description ?? "",
    requiredLevel: named.required ?? "None",
    isValidForCreate: isWritable,
    isValidForUpdate: isWritable,
  } as const;
}

type TextOptions = Named & Partial<Pick<TextColumn, "format" | "lengthMax">>;

export function text(name: string, options: TextOptions = {}): TextColumn {
  const { format = "Text", lengthMax = TEXT_LENGTH } = options;
  return { ...base(name, options), type: "String", format, lengthMax };
}

export function memo(name: string, options: TextOptions = {}): TextColumn {
  const { format = "TextArea", lengthMax = TEXT_LENGTH } = options;
  return { ...base(name, options), type: "Memo", format, lengthMax };
}

type Range = Named & { readonly min?: number; readonly max?: number };

export function integer(name: string, options: Range = {}): IntegerColumn {
  const { min = INT32_MIN, max = INT32_MAX } = options;
  return { ...base(name, options), type: "Integer", min, max };
}

export function bigint(name: string, options: Range = {}): IntegerColumn {
  const { min = -(2 ** 63), max = 2 ** 63 } = options;
  return { ...base(name, options), type: "BigInt", min, max };
}

export function money(name: string, options: Range = {}): DecimalColumn {
  const { min = -922_337_203_685_477, max = 922_337_203_685_477 } = options;
  return { ...base(name, options), type: "Money", min, max, precision: 4 };
}

export function boolean(name: string, options: Named = {}): BooleanColumn {
  const labels = { trueLabel: "Yes", falseLabel: "No" };
  return { ...base(name, options), type: "Boolean", default: false, ...labels };
}

export function picklist(
  name: string,
  options: Named & { readonly options: readonly Option[] },
): PicklistColumn {
  const choice = { options: options.options, defaultFormValue: -1 };
  return { ...base(name, options), type: "Picklist", ...choice };
}

export function dateTime(
  name: string,
  options: Named & Partial<Pick<DateTimeColumn, "behavior" | "format">> = {},
): DateTimeColumn {
  const { format = "DateAndTime", behavior = "UserLocal" } = options;
  return { ...base(name, options), type: "DateTime", format, behavior };
}

export function guid(name: string, options: Named = {}): GuidColumn {
  return { ...base(name, options), type: "Uniqueidentifier" };
}

export function entityName(name: string, options: Named = {}): EntityNameColumn {
  return { ...base(name, options), type: "EntityName" };
}

export function lookup(
  name: string,
  targets: readonly string[],
  options: Named & { readonly type?: LookupColumn["type"]; readonly typeColumn?: string } = {},
): LookupColumn {
  const { type = "Lookup", typeColumn } = options;
  const further = typeColumn === undefined ? {} : { typeColumn };
  return { ...base(name, options), type, targets, ...further };
}

/** The id of a row: given by the client at creation or made here, and never changed. */
export function primaryId(name: string): GuidColumn {
  return { ...guid(name, { required: "SystemRequired" }), isValidForUpdate: false };
}

export function state(): StateColumn {
  return {
    ...base("statecode", { required: "SystemRequired", displayName: "Status" }),
    type: "State",
  };
}

export function status(): StateColumn {
  return { ...base("statuscode", { displayName: "Status Reason" }), type: "Status" };
}

const readOnly = { readOnly: true } as const;

/** Who made and changed a row and when, and its version. */
export function stampColumns(): readonly Column[] {
  return [
    lookup("createdby", ["systemuser"], { ...readOnly, displayName: "Created By" }),
    dateTime("createdon", { ...readOnly, displayName: "Created On" }),
    lookup("createdonbehalfby", ["systemuser"], readOnly),
    lookup("modifiedby", ["systemuser"], { ...readOnly, displayName: "Modified By" }),
    dateTime("modifiedon", { ...readOnly, displayName: "Modified On" }),
    lookup("modifiedonbehalfby", ["systemuser"], readOnly),
    bigint("versionnumber", { ...readOnly, displayName: "Version Number" }),
  ];
}

/** Columns that data migrations and clients with their own clocks fill. */
export function migrationColumns(): readonly Column[] {
  return [
    integer("importsequencenumber", { displayName: "Import Sequence Number" }),
    dateTime("overriddencreatedon", { format: "DateOnly", displayName: "Record Created On" }),
    integer("timezoneruleversionnumber", { min: -1 }),
    integer("utcconversiontimezonecode", { min: -1 }),
  ];
}

/** Whose a row is; `assignable` when a client may say so. */
export function ownerColumns(options: { readonly assignable: boolean }): readonly Column[] {
  const set = options.assignable ? {} : readOnly;
  const owner = { type: "Owner", typeColumn: "owneridtype", displayName: "Owner" } as const;
  return [
    lookup("ownerid", ["systemuser", "team"], { ...set, ...owner, required: "SystemRequired" }),
    entityName("owneridtype", { ...readOnly, required: "SystemRequired" }),
    lookup("owningbusinessunit", ["businessunit"], readOnly),
    lookup("owningteam", ["team"], readOnly),
    lookup("owninguser", ["systemuser"], readOnly),
  ];
}

export const NO_CASCADE: Cascade = {
  archive: "NoCascade",
  assign: "NoCascade",
  delete: "NoCascade",
  merge: "NoCascade",
  reparent: "NoCascade",
  rollupView: "NoCascade",
  share: "NoCascade",
  unshare: "NoCascade",
};

/** A relationship under the name that follows from its two tables and the column. */
export function reference(
  table: string,
  column: string,
  target: string,
  options: Partial<Omit<Reference, "column" | "target">> = {},
): Reference {
  const schemaName = options.schemaName ?? `${target}_${table}_${column}`;
  return {
    schemaName,
    column,
    target,
    navigationProperty: options.navigationProperty ?? column,
    collectionProperty: options.collectionProperty ?? schemaName,
    cascade: options.cascade ?? NO_CASCADE,
  };
}

/** Who made and changed the rows of a table, as relationships. */
export function stampReferences(table: string): readonly Reference[] {
  const columns = ["createdby", "createdonbehalfby", "modifiedby", "modifiedonbehalfby"];
  return columns.map((column) => {
    const schemaName = `lk_${table}_${column}`;
    return reference(table, column, "systemuser", { schemaName });
  });
}

/** Whose the rows of a table are, as relationships. */
export function ownerReferences(table: string): readonly Reference[] {
  const named = (column: string, target: string) =>
    reference(table, column, target, { schemaName: `${target}_${table}_${column}` });
  return [
    named("owningbusinessunit", "businessunit"),
    named("owningteam", "team"),
    named("owninguser", "systemuser"),
  ];
}

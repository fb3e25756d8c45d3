/** What a table is, declared once: storage, validation, metadata and interface follow from it. */
export interface TableDefinition {
  /** Lower case, unique; what stands for the table everywhere inside. */
  readonly logicalName: string;
  readonly schemaName: string;
  /** The last part of the URL of the table's rows. */
  readonly entitySetName: string;
  readonly collectionSchemaName: string;
  readonly displayName: string;
  readonly description: string;
  readonly primaryId: string;
  readonly primaryName: string;
  readonly ownership: Ownership;
  readonly isCustom: boolean;
  /** In the order in which metadata lists them; the primary id is one of them. */
  readonly columns: readonly Column[];
  /** Further unique combinations of columns by which a row can be addressed. */
  readonly keys: readonly AlternateKey[];
  /** One for each target of each lookup column that has a declared relationship. */
  readonly references: readonly Reference[];
  readonly links: readonly LinkDefinition[];
  /** Empty for tables without states. */
  readonly states: readonly State[];
  /** What can be asked of the table. */
  readonly messages: readonly Message[];
  /** Deleted rows can be listed, and changes be followed. */
  readonly hasChangeTracking: boolean;
}

export type Ownership = "BusinessOwned" | "None" | "OrganizationOwned" | "UserOwned";

export type RequiredLevel = "ApplicationRequired" | "None" | "Recommended" | "SystemRequired";

interface ColumnBase {
  readonly logicalName: string;
  readonly schemaName: string;
  readonly displayName: string;
  readonly description: string;
  readonly requiredLevel: RequiredLevel;
  readonly isValidForCreate: boolean;
  readonly isValidForUpdate: boolean;
}

export interface TextColumn extends ColumnBase {
  readonly type: "Memo" | "String";
  readonly format: "Email" | "Text" | "TextArea" | "Url";
  /** In UTF-16 code units. */
  readonly lengthMax: number;
  /** Can be written and never be read: sealed where it is stored. */
  readonly isSecret?: true;
}

export interface IntegerColumn extends ColumnBase {
  /** A `BigInt` holds whole numbers up to 2^53 - 1 in size. */
  readonly type: "BigInt" | "Integer";
  readonly min: number;
  readonly max: number;
}

export interface DecimalColumn extends ColumnBase {
  readonly type: "Decimal" | "Double" | "Money";
  readonly min: number;
  readonly max: number;
  /** Digits after the point that are kept. */
  readonly precision: number;
}

export interface BooleanColumn extends ColumnBase {
  readonly type: "Boolean";
  readonly default: boolean;
  readonly trueLabel: string;
  readonly falseLabel: string;
}

export interface Option {
  readonly value: number;
  readonly label: string;
}

export interface PicklistColumn extends ColumnBase {
  readonly type: "Picklist";
  readonly options: readonly Option[];
  /** What a form shows at first; -1 for nothing. A row that names no value has none. */
  readonly defaultFormValue: number;
}

/** Its options are those of the table's `states`. */
export interface StateColumn extends ColumnBase {
  readonly type: "State" | "Status";
}

export interface DateTimeColumn extends ColumnBase {
  readonly type: "DateTime";
  readonly format: "DateAndTime" | "DateOnly";
  readonly behavior: "DateOnly" | "TimeZoneIndependent" | "UserLocal";
}

export interface LookupColumn extends ColumnBase {
  readonly type: "Customer" | "Lookup" | "Owner";
  /** Logical names of the tables whose rows it may hold; one at least. */
  readonly targets: readonly string[];
  /** The column that says which table a value belongs to, when there are several targets. */
  readonly typeColumn?: string;
}

export interface GuidColumn extends ColumnBase {
  readonly type: "Uniqueidentifier";
}

/** Holds the logical name of a table. */
export interface EntityNameColumn extends ColumnBase {
  readonly type: "EntityName";
}

export type Column =
  | BooleanColumn
  | DateTimeColumn
  | DecimalColumn
  | EntityNameColumn
  | GuidColumn
  | IntegerColumn
  | LookupColumn
  | PicklistColumn
  | StateColumn
  | TextColumn;

export type ColumnType = Column["type"];

export interface AlternateKey {
  readonly name: string;
  readonly columns: readonly string[];
}

export type CascadeAction = "Cascade" | "NoCascade" | "RemoveLink" | "Restrict";

export interface Cascade {
  readonly archive: CascadeAction;
  readonly assign: CascadeAction;
  readonly delete: CascadeAction;
  readonly merge: CascadeAction;
  readonly reparent: CascadeAction;
  readonly rollupView: CascadeAction;
  readonly share: CascadeAction;
  readonly unshare: CascadeAction;
}

/** A many-to-one relationship: rows of this table refer to one row of another by a column. */
export interface Reference {
  readonly schemaName: string;
  /** The lookup column of this table. */
  readonly column: string;
  /** Logical name of the table that is referred to. */
  readonly target: string;
  /** Names the row referred to, on rows of this table. */
  readonly navigationProperty: string;
  /** Names the rows of this table, on the row referred to. */
  readonly collectionProperty: string;
  /** What happens to rows of this table when something happens to the row referred to. */
  readonly cascade: Cascade;
}

/** A many-to-many relationship, declared with one of its two tables. */
export interface LinkDefinition {
  readonly schemaName: string;
  readonly target: string;
  /** On rows of this table, and on rows of the target. */
  readonly navigationProperty: string;
  readonly targetNavigationProperty: string;
}

export interface State extends Option {
  /** The status that a row gets when only the state is said. */
  readonly defaultStatus: number;
  readonly statuses: readonly Option[];
}

export type Message = (typeof MESSAGES)[number];

/** All messages there are, by the names in which events and privileges speak of them. */
export const MESSAGES = [
  "Associate",
  "BulkRetain",
  "Create",
  "CreateMultiple",
  "Delete",
  "Disassociate",
  "IsValidStateTransition",
  "PurgeRetainedContent",
  "Restore",
  "Retain",
  "Retrieve",
  "RetrieveMultiple",
  "RollbackRetain",
  "SetState",
  "Update",
  "UpdateMultiple",
  "Upsert",
  "UpsertMultiple",
  "ValidateRetentionConfig",
] as const;

import { isLookup, type Table } from "../definitions/table.ts";
import type { Column, Option, State } from "../definitions/types.ts";
import { stableId } from "../stable-id.ts";
import { metadataType } from "./edm.ts";
import { labelOf, managed } from "./labels.ts";

/** A column as `AttributeMetadata` of its kind; choices with their options when wanted. */
export function attributeOf(table: Table, column: Column, withOptions: boolean): object {
  const { logicalName } = column;
  return {
    "@odata.type": `#Microsoft.Dynamics.CRM.${metadataType(column)}`,
    MetadataId: attributeId(table, logicalName),
    LogicalName: logicalName,
    SchemaName: column.schemaName,
    EntityLogicalName: table.logicalName,
    AttributeType: column.type,
    AttributeTypeName: { Value: `${column.type}Type` },
    DisplayName: labelOf(column.displayName),
    Description: labelOf(column.description),
    RequiredLevel: managed(column.requiredLevel),
    IsPrimaryId: logicalName === table.primaryId,
    IsPrimaryName: logicalName === table.primaryName,
    IsCustomAttribute: logicalName.includes("_"),
    IsValidForCreate: column.isValidForCreate,
    IsValidForUpdate: column.isValidForUpdate,
    IsValidForRead: true,
    ...particulars(column),
    ...(withOptions && optionSets(table, column)),
  };
}

function attributeId({ logicalName }: Table, name: string): string {
  return stableId(`attribute ${logicalName} ${name}`);
}

function particulars(column: Column): object {
  if ("lengthMax" in column) {
    return { MaxLength: column.lengthMax, FormatName: { Value: column.format } };
  }
  if ("min" in column) {
    const precision = "precision" in column ? { Precision: column.precision } : {};
    return { MinValue: column.min, MaxValue: column.max, ...precision };
  }
  if (column.type === "Boolean") return { DefaultValue: column.default };
  if (column.type === "Picklist") return { DefaultFormValue: column.defaultFormValue };
  if (isLookup(column)) return { Targets: column.targets };
  if (column.type !== "DateTime") return {};
  const { format, behavior } = column;
  return { Format: format, DateTimeBehavior: { Value: behavior } };
}

function optionSets(table: Table, column: Column): object {
  const set = optionSet(table, column);
  return set === undefined ? {} : { OptionSet: set, GlobalOptionSet: null };
}

/** The options of a choice; those of a boolean are two, with names of their own. */
export function optionSet(table: Table, column: Column): object | undefined {
  const head = {
    MetadataId: stableId(`options ${table.logicalName} ${column.logicalName}`),
    Name: `${table.logicalName}_${column.logicalName}`,
    DisplayName: labelOf(column.displayName),
    IsGlobal: false,
  };
  if (column.type === "Boolean") {
    return {
      ...head,
      OptionSetType: "Boolean",
      TrueOption: optionOf({ value: 1, label: column.trueLabel }),
      FalseOption: optionOf({ value: 0, label: column.falseLabel }),
    };
  }
  const options = optionsOf(table, column);
  return options && { ...head, OptionSetType: column.type, Options: options };
}

function optionsOf({ states }: Table, column: Column): readonly object[] | undefined {
  if (column.type === "Picklist") return column.options.map(optionOf);
  if (column.type === "State") return states.map(stateOption);
  if (column.type !== "Status") return undefined;
  return states.flatMap((state) =>
    state.statuses.map((status) => ({ ...optionOf(status), State: state.value })),
  );
}

function optionOf({ value, label }: Option) {
  return { Value: value, Label: labelOf(label), IsManaged: false };
}

function stateOption(state: State) {
  const invariant = { DefaultStatus: state.defaultStatus, InvariantName: state.label };
  return { ...optionOf(state), ...invariant };
}

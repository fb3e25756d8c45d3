import type { Catalog } from "../definitions/catalog.ts";
import { propertyName, type Navigation, type Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { edmType } from "./edm.ts";

const HEAD =
  '<?xml version="1.0" encoding="utf-8"?>\n' +
  '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">' +
  "<edmx:DataServices>" +
  '<Schema Namespace="Microsoft.Dynamics.CRM" Alias="mscrm" ' +
  'xmlns="http://docs.oasis-open.org/odata/ns/edm">\n';
const TAIL = "</Schema></edmx:DataServices></edmx:Edmx>\n";

/** All tables and messages in the common schema language (CSDL). */
export function writeEdmx(catalog: Catalog): string {
  const tables = catalog.tables();
  const sets = tables.map((table) => entitySet(catalog, table));
  return [
    HEAD,
    '<EntityType Name="crmbaseentity" Abstract="true"/>\n',
    ...tables.map((table) => entityType(catalog, table)),
    ...COMPLEX_TYPES,
    ...tables.flatMap((table) => boundActions(table)),
    ...UNBOUND,
    `<EntityContainer Name="System">\n${sets.join("")}${IMPORTS}</EntityContainer>\n`,
    TAIL,
  ].join("");
}

function entityType(catalog: Catalog, table: Table): string {
  const { logicalName, primaryId, columns } = table;
  return (
    `<EntityType Name="${logicalName}" BaseType="mscrm.crmbaseentity">\n` +
    `<Key><PropertyRef Name="${primaryId}"/></Key>\n` +
    columns.map(property).join("") +
    navigationsIn(catalog, table)
      .map((one) => navigationProperty(catalog, table, one))
      .join("") +
    "</EntityType>\n"
  );
}

/** A lookup with several targets has no one type, so only its targets' own properties are shown. */
function navigationsIn(catalog: Catalog, table: Table): readonly Navigation[] {
  return table.navigations().filter((navigation) => {
    const targets = navigation.kind === "single" ? navigation.targets : [navigation.target];
    return targets.length === 1 && targets.every((one) => catalog.table(one) !== undefined);
  });
}

function property(column: Column): string {
  const length = "lengthMax" in column ? ` MaxLength="${column.lengthMax}" Unicode="true"` : "";
  const type = edmType(column);
  const scale = type === "Edm.Decimal" ? ' Scale="Variable"' : "";
  return `<Property Name="${propertyName(column)}" Type="${type}"${length}${scale}/>\n`;
}

function navigationProperty(catalog: Catalog, table: Table, navigation: Navigation): string {
  const partner = partnerOf(catalog, table, navigation);
  const named = partner === undefined ? "" : ` Partner="${partner}"`;
  if (navigation.kind !== "single") {
    const type = `Collection(mscrm.${navigation.target})`;
    return `<NavigationProperty Name="${navigation.name}" Type="${type}"${named}/>\n`;
  }
  const [target = ""] = navigation.targets;
  const referenced = catalog.table(target)?.primaryId ?? "";
  return (
    `<NavigationProperty Name="${navigation.name}" Type="mscrm.${target}"${named}>` +
    `<ReferentialConstraint Property="${propertyName(navigation.column)}" ` +
    `ReferencedProperty="${referenced}"/></NavigationProperty>\n`
  );
}

/** What leads back. */
function partnerOf(catalog: Catalog, table: Table, navigation: Navigation): string | undefined {
  if (navigation.kind === "collection") return navigation.reference.navigationProperty;
  if (navigation.kind === "single") {
    const [target] = navigation.targets;
    return table.definition.references.find(
      (one) => one.target === target && one.column === navigation.column.logicalName,
    )?.collectionProperty;
  }
  return catalog
    .table(navigation.target)
    ?.navigations()
    .find((one) => one.kind === "link" && one.relationship === navigation.relationship)?.name;
}

function entitySet(catalog: Catalog, table: Table): string {
  const bindings = navigationsIn(catalog, table).map((navigation) => {
    const [target = ""] = navigation.kind === "single" ? navigation.targets : [navigation.target];
    const set = catalog.table(target)?.entitySetName ?? "";
    return `<NavigationPropertyBinding Path="${navigation.name}" Target="${set}"/>\n`;
  });
  const type = `Microsoft.Dynamics.CRM.${table.logicalName}`;
  return (
    `<EntitySet Name="${table.entitySetName}" EntityType="${type}">\n` +
    `${bindings.join("")}</EntitySet>\n`
  );
}

const BULK = ["CreateMultiple", "UpdateMultiple", "UpsertMultiple"] as const;

function boundActions({ logicalName, definition }: Table): readonly string[] {
  const rows = `Collection(mscrm.${logicalName})`;
  return BULK.filter((name) => definition.messages.includes(name)).map((name) => {
    const result = name === "UpdateMultiple" ? "" : `<ReturnType Type="mscrm.${name}Response"/>`;
    return (
      `<Action Name="${name}" IsBound="true">` +
      `<Parameter Name="entityset" Type="${rows}" Nullable="false"/>` +
      `<Parameter Name="Targets" Type="${rows}" Nullable="false"/>${result}</Action>\n`
    );
  });
}

type Fields = Readonly<Record<string, string>>;

function complexType(name: string, fields: Fields): string {
  const properties = Object.entries(fields).map(
    ([field, type]) => `<Property Name="${field}" Type="${type}"/>`,
  );
  return `<ComplexType Name="${name}">${properties.join("")}</ComplexType>\n`;
}

const COMPLEX_TYPES = [
  complexType("WhoAmIResponse", {
    BusinessUnitId: "Edm.Guid",
    UserId: "Edm.Guid",
    OrganizationId: "Edm.Guid",
  }),
  complexType("IsValidStateTransitionResponse", { IsValid: "Edm.Boolean" }),
  complexType("CreateMultipleResponse", { Ids: "Collection(Edm.Guid)" }),
  complexType("UpsertResponse", { RecordCreated: "Edm.Boolean", Target: "mscrm.crmbaseentity" }),
  complexType("UpsertMultipleResponse", { Results: "Collection(mscrm.UpsertResponse)" }),
  complexType("BulkRetainResponse", { HasMoreRecords: "Edm.Boolean", PagingCookie: "Edm.String" }),
  complexType("EntityCountCollection", {
    Count: "Edm.Int32",
    Keys: "Collection(Edm.String)",
    Values: "Collection(Edm.Int64)",
  }),
  complexType("PurgeRetainedContentResponse", {
    EntityCountCollection: "mscrm.EntityCountCollection",
    HasMoreRecords: "Edm.Boolean",
  }),
  complexType("ValidateRetentionConfigResponse", {
    IsValidationSuccessful: "Edm.Boolean",
    ErrorMessage: "Edm.String",
  }),
];

function message(kind: "Action" | "Function", name: string, parameters: Fields): string {
  const written = Object.entries(parameters).map(
    ([parameter, type]) => `<Parameter Name="${parameter}" Type="${type}"/>`,
  );
  const hasResult = COMPLEX_TYPES.some((one) => one.includes(`"${name}Response"`));
  const result = hasResult ? `<ReturnType Type="mscrm.${name}Response" Nullable="false"/>` : "";
  return `<${kind} Name="${name}">${written.join("")}${result}</${kind}>\n`;
}

const ROW = "mscrm.crmbaseentity";

const UNBOUND = [
  message("Function", "WhoAmI", {}),
  message("Function", "IsValidStateTransition", {
    Entity: ROW,
    NewState: "Edm.String",
    NewStatus: "Edm.Int32",
  }),
  message("Action", "BulkRetain", {
    EntityName: "Edm.String",
    FetchXml: "Edm.String",
    PageSize: "Edm.Int32",
    OperationId: "Edm.Guid",
    PagingCookie: "Edm.String",
  }),
  message("Action", "Retain", { Target: ROW, OperationId: "Edm.Guid" }),
  message("Action", "RollbackRetain", { Target: ROW, OperationId: "Edm.Guid" }),
  message("Action", "PurgeRetainedContent", {
    EntityName: "Edm.String",
    PageSize: "Edm.Int32",
    OperationId: "Edm.Guid",
    MaxVersionToPurge: "Edm.Int64",
  }),
  message("Action", "ValidateRetentionConfig", {
    Target: ROW,
    EntityName: "Edm.String",
    FetchXml: "Edm.String",
    RetentionConfigId: "Edm.Guid",
  }),
  message("Action", "Restore", { Target: ROW }),
];

const IMPORTS = [
  ...["WhoAmI", "IsValidStateTransition"].map(
    (name) => `<FunctionImport Name="${name}" Function="Microsoft.Dynamics.CRM.${name}"/>\n`,
  ),
  ...[
    "BulkRetain",
    "PurgeRetainedContent",
    "Restore",
    "Retain",
    "RollbackRetain",
    "ValidateRetentionConfig",
  ].map((name) => `<ActionImport Name="${name}" Action="Microsoft.Dynamics.CRM.${name}"/>\n`),
].join("");

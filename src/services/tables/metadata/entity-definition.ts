import type { Catalog, Incoming } from "../definitions/catalog.ts";
import type { Table } from "../definitions/table.ts";
import type { Cascade, Reference } from "../definitions/types.ts";
import { stableId } from "../stable-id.ts";
import { labelOf, managed } from "./labels.ts";

/** A table as `EntityMetadata`. */
export function entityDefinition(table: Table): Readonly<Record<string, unknown>> {
  const { definition } = table;
  return {
    MetadataId: entityId(table),
    LogicalName: table.logicalName,
    SchemaName: definition.schemaName,
    EntitySetName: table.entitySetName,
    LogicalCollectionName: table.entitySetName,
    CollectionSchemaName: definition.collectionSchemaName,
    PrimaryIdAttribute: table.primaryId,
    PrimaryNameAttribute: table.primaryName,
    DisplayName: labelOf(definition.displayName),
    DisplayCollectionName: labelOf(definition.displayName),
    Description: labelOf(definition.description),
    OwnershipType: definition.ownership,
    TableType: "Standard",
    IsCustomEntity: definition.isCustom,
    IsActivity: false,
    IsOptimisticConcurrencyEnabled: true,
    IsStateModelAware: table.states.length > 0,
    ChangeTrackingEnabled: definition.hasChangeTracking,
    CanChangeTrackingBeEnabled: managed(false),
    IsRetentionEnabled: definition.messages.includes("Retain"),
  };
}

export function entityId({ logicalName }: Pick<Table, "logicalName">): string {
  return stableId(`entity ${logicalName}`);
}

/** The relationships in which a table's rows refer to others. */
export function manyToOne(catalog: Catalog, table: Table): readonly object[] {
  return table.definition.references.map((reference) =>
    relationship(catalog, { source: table, reference }),
  );
}

/** The relationships in which other rows refer to a table's rows. */
export function oneToMany(catalog: Catalog, table: Table): readonly object[] {
  return catalog.incoming(table.logicalName).map((incoming) => relationship(catalog, incoming));
}

function relationship(catalog: Catalog, { source, reference }: Incoming): object {
  return {
    MetadataId: stableId(`relationship ${reference.schemaName}`),
    SchemaName: reference.schemaName,
    RelationshipType: "OneToManyRelationship",
    ReferencedEntity: reference.target,
    ReferencedAttribute: catalog.table(reference.target)?.primaryId ?? "",
    ReferencedEntityNavigationPropertyName: reference.collectionProperty,
    ReferencingEntity: source.logicalName,
    ReferencingAttribute: reference.column,
    ReferencingEntityNavigationPropertyName: reference.navigationProperty,
    CascadeConfiguration: cascadeOf(reference),
  };
}

function cascadeOf({ cascade }: Reference): Record<string, string> {
  return Object.fromEntries(
    Object.entries(cascade satisfies Cascade).map(([action, what]) => [
      action.charAt(0).toUpperCase() + action.slice(1),
      what,
    ]),
  );
}

export function manyToMany(catalog: Catalog, table: Table): readonly object[] {
  return catalog.tables().flatMap((first) =>
    first.definition.links
      .filter(({ target }) => first === table || target === table.logicalName)
      .map((link) => ({
        MetadataId: stableId(`relationship ${link.schemaName}`),
        SchemaName: link.schemaName,
        RelationshipType: "ManyToManyRelationship",
        Entity1LogicalName: first.logicalName,
        Entity1NavigationPropertyName: link.navigationProperty,
        Entity2LogicalName: link.target,
        Entity2NavigationPropertyName: link.targetNavigationProperty,
      })),
  );
}

export function keysOf(table: Table): readonly object[] {
  return table.keys.map(({ name, columns }) => ({
    MetadataId: stableId(`key ${table.logicalName} ${name}`),
    LogicalName: name,
    SchemaName: name,
    EntityLogicalName: table.logicalName,
    KeyAttributes: columns,
    EntityKeyIndexStatus: "Active",
  }));
}

import type {
  AlternateKey,
  Column,
  LookupColumn,
  Reference,
  State,
  TableDefinition,
} from "./types.ts";

/** A definition with what is looked up in it all the time. */
export interface Table {
  readonly definition: TableDefinition;
  readonly logicalName: string;
  readonly entitySetName: string;
  readonly primaryId: string;
  readonly primaryName: string;
  readonly columns: readonly Column[];
  readonly states: readonly State[];
  readonly keys: readonly AlternateKey[];
  readonly column: (logicalName: string) => Column | undefined;
  /** The column that a property of an answer shows: a lookup `x` is read as `_x_value`. */
  readonly property: (name: string) => Column | undefined;
  readonly navigation: (name: string) => Navigation | undefined;
  readonly navigations: () => readonly Navigation[];
}

/** From rows of one table to rows of others. */
export type Navigation = CollectionNavigation | LinkNavigation | SingleNavigation;

/** To the row that a lookup column refers to. */
export interface SingleNavigation {
  readonly kind: "single";
  readonly name: string;
  readonly column: LookupColumn;
  /** Logical names; several only for the lookup's own name when it has several targets. */
  readonly targets: readonly string[];
}

/** To the rows that refer to this one. */
export interface CollectionNavigation {
  readonly kind: "collection";
  readonly name: string;
  /** Logical name of the table whose rows they are. */
  readonly target: string;
  readonly reference: Reference;
}

/** To the rows that are linked with this one, many to many. */
export interface LinkNavigation {
  readonly kind: "link";
  readonly name: string;
  readonly target: string;
  /** Schema name of the relationship. */
  readonly relationship: string;
  /** Which id of a link is that of this row. */
  readonly side: "first" | "second";
}

/** Whether a column holds a reference to a row. */
export function isLookup(column: Column): column is LookupColumn {
  return column.type === "Lookup" || column.type === "Owner" || column.type === "Customer";
}

/** What a column is called in answers. */
export function propertyName(column: Column): string {
  return isLookup(column) ? `_${column.logicalName}_value` : column.logicalName;
}

/** `elsewhere` are the navigations that other tables' definitions lead to this one. */
export function compileTable(
  definition: TableDefinition,
  elsewhere: () => readonly Navigation[],
): Table {
  const { columns } = definition;
  const byName = new Map(columns.map((column) => [column.logicalName, column]));
  const byProperty = new Map(columns.map((column) => [propertyName(column), column]));
  let known: ReadonlyMap<string, Navigation> | undefined;
  // Late, because the other tables have to be there.
  const navigations = () => {
    known ??= new Map(
      [...ownNavigations(definition, byName), ...elsewhere()].map((one) => [
        one.name.toLowerCase(),
        one,
      ]),
    );
    return known;
  };
  return {
    definition,
    logicalName: definition.logicalName,
    entitySetName: definition.entitySetName,
    primaryId: definition.primaryId,
    primaryName: definition.primaryName,
    columns,
    states: definition.states,
    keys: definition.keys,
    column: (name) => byName.get(name),
    property: (name) => byProperty.get(name),
    navigation: (name) => navigations().get(name.toLowerCase()),
    navigations: () => [...navigations().values()],
  };
}

function ownNavigations(
  { references, links, columns }: TableDefinition,
  byName: ReadonlyMap<string, Column>,
): Navigation[] {
  const lookups = columns.filter(isLookup).map((column): SingleNavigation => ({
    kind: "single",
    name: column.logicalName,
    column,
    targets: column.targets,
  }));
  const declared = references.flatMap((reference): SingleNavigation[] => {
    const column = byName.get(reference.column);
    if (column === undefined || !isLookup(column)) return [];
    const { navigationProperty: name, target } = reference;
    return [{ kind: "single", name, column, targets: [target] }];
  });
  const linked = links.map((link): LinkNavigation => ({
    kind: "link",
    name: link.navigationProperty,
    target: link.target,
    relationship: link.schemaName,
    side: "first",
  }));
  return [...lookups, ...declared, ...linked];
}

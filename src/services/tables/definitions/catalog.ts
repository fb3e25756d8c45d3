import { compileTable, type Navigation, type Table } from "./table.ts";
import type { Reference, TableDefinition } from "./types.ts";

/** A relationship by which rows of one table refer to rows of another. */
export interface Incoming {
  /** The table that refers. */
  readonly source: Table;
  readonly reference: Reference;
}

/** All tables, as they are now: users add their own while Atoll runs. */
export interface Catalog {
  readonly tables: () => readonly Table[];
  readonly table: (logicalName: string) => Table | undefined;
  readonly set: (entitySetName: string) => Table | undefined;
  /** By which relationships other rows refer to rows of this table. */
  readonly incoming: (logicalName: string) => readonly Incoming[];
  /** Takes over all definitions anew. */
  readonly replace: (definitions: readonly TableDefinition[]) => void;
}

interface Index {
  readonly byName: ReadonlyMap<string, Table>;
  readonly bySet: ReadonlyMap<string, Table>;
  readonly incoming: ReadonlyMap<string, readonly Incoming[]>;
}

export function createCatalog(definitions: readonly TableDefinition[]): Catalog {
  let index = indexOf(definitions);
  return {
    tables: () => [...index.byName.values()],
    table: (logicalName) => index.byName.get(logicalName),
    set: (name) => index.bySet.get(name),
    incoming: (logicalName) => index.incoming.get(logicalName) ?? [],
    replace(changed) {
      index = indexOf(changed);
    },
  };
}

function indexOf(definitions: readonly TableDefinition[]): Index {
  const tables = definitions.map((definition) =>
    compileTable(definition, () => navigationsTo(definition.logicalName, definitions)),
  );
  const incoming = new Map<string, Incoming[]>();
  for (const source of tables) {
    for (const reference of source.definition.references) {
      const known = incoming.get(reference.target) ?? [];
      known.push({ source, reference });
      incoming.set(reference.target, known);
    }
  }
  return {
    byName: new Map(tables.map((table) => [table.logicalName, table])),
    bySet: new Map(tables.map((table) => [table.entitySetName, table])),
    incoming,
  };
}

function navigationsTo(
  logicalName: string,
  definitions: readonly TableDefinition[],
): readonly Navigation[] {
  return definitions.flatMap((source): Navigation[] => [
    ...source.references
      .filter(({ target }) => target === logicalName)
      .map((reference): Navigation => ({
        kind: "collection",
        name: reference.collectionProperty,
        target: source.logicalName,
        reference,
      })),
    ...source.links
      .filter(({ target }) => target === logicalName)
      .map((link): Navigation => ({
        kind: "link",
        name: link.targetNavigationProperty,
        target: source.logicalName,
        relationship: link.schemaName,
        side: "second",
      })),
  ]);
}

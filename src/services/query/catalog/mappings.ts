import type { Catalog, CatalogChange } from "./catalog.ts";
import { alreadyExists, CatalogError, notFound } from "./catalog-error.ts";
import {
  databaseOf,
  tableOf,
  type CatalogDatabase,
  type CatalogTable,
  type Mapping,
  type MappingKind,
} from "./catalog-schema.ts";
import { parseMapping } from "./mapping-text.ts";
import { checkName } from "./names.ts";

const MAPPINGS_MAX = 10_000;
const MAPPING_LENGTH_MAX = 1_000_000;

/** Where mappings lie: in a table, or for all tables of a database. */
export interface MappingPlace {
  readonly database: string;
  readonly table?: string | undefined;
}

export interface MappingName extends MappingPlace {
  readonly kind: MappingKind;
  readonly name: string;
}

export interface MappingDefinition extends MappingName {
  /** A JSON array, as documented for the kind. */
  readonly text: string;
}

export type MappingRule = "create" | "create-or-alter" | "alter";

/** Stores a mapping, after checking that it can be read. */
export async function putMapping(
  catalog: Catalog,
  { kind, name, text, ...place }: MappingDefinition,
  rule: MappingRule,
): Promise<Mapping> {
  checkName("mapping", name);
  if (text.length > MAPPING_LENGTH_MAX) {
    const message = `Mapping '${name}' has more than ${MAPPING_LENGTH_MAX} characters.`;
    throw new CatalogError("limit", message);
  }
  parseMapping(kind, text);
  return await catalog.change(async (change) => {
    const mappings = mappingsOf(change, place);
    const index = mappings.findIndex((one) => one.kind === kind && one.name === name);
    if (index !== -1 && rule === "create") throw alreadyExists("Mapping", name);
    if (index === -1 && rule === "alter") throw notFound("Mapping", name, place.database);
    if (mappings.length >= MAPPINGS_MAX) {
      throw new CatalogError(
        "limit",
        `There may be ${MAPPINGS_MAX} mappings in one place at most.`,
      );
    }
    const mapping = { kind, name, text, updatedOn: change.now };
    const changed = index === -1 ? [...mappings, mapping] : mappings.with(index, mapping);
    await putMappings(change, place, changed);
    return mapping;
  });
}

export async function dropMapping(catalog: Catalog, name: MappingName): Promise<void> {
  await catalog.change(async (change) => {
    const mappings = mappingsOf(change, name);
    const kept = mappings.filter((one) => one.kind !== name.kind || one.name !== name.name);
    if (kept.length === mappings.length) throw notFound("Mapping", name.name, name.database);
    await putMappings(change, name, kept);
  });
}

/** The mapping that an ingestion names: of the table, or else of the database. */
export function findMapping(
  database: CatalogDatabase,
  table: CatalogTable,
  { kind, name }: { readonly kind: MappingKind; readonly name: string },
): Mapping {
  const all = [...table.mappings, ...database.mappings];
  const found = all.find((one) => one.kind === kind && one.name === name);
  if (found === undefined) throw notFound(`Mapping of kind ${kind}`, name, database.name);
  return found;
}

function mappingsOf(change: CatalogChange, { database, table }: MappingPlace): readonly Mapping[] {
  const place = databaseOf(change.schema(), database);
  return (table === undefined ? place : tableOf(place, table)).mappings;
}

async function putMappings(
  change: CatalogChange,
  { database, table }: MappingPlace,
  mappings: readonly Mapping[],
): Promise<void> {
  const place = databaseOf(change.schema(), database);
  if (table === undefined) await change.putDatabase({ ...place, mappings });
  else await change.putTable(place.id, { ...tableOf(place, table), mappings });
}

import type {
  ClusterSchema,
  DatabaseSchema,
  FunctionSchema,
  Json,
  StoredColumn,
  TableSchema,
} from "#engines/kql/types.ts";
import { notFound } from "./catalog-error.ts";

/** Hidden columns of each table: the operation that brought a row, and when (ticks). */
export const EXTENT_COLUMN = "extent";
export const INGESTED_COLUMN = "ingested";
export const SYSTEM_COLUMNS = { ingested: INGESTED_COLUMN, extent: EXTENT_COLUMN };

/** Policies by name in lower case, such as `retention`. */
export type Policies = Readonly<Record<string, Json>>;

export const MAPPING_KINDS = ["csv", "json", "avro", "parquet", "orc", "w3clogfile"] as const;
export type MappingKind = (typeof MAPPING_KINDS)[number];

export interface Mapping {
  readonly kind: MappingKind;
  readonly name: string;
  /** As its author wrote it: the text of a JSON array. */
  readonly text: string;
  /** Ticks. */
  readonly updatedOn: bigint;
}

export interface CatalogColumn extends StoredColumn {
  /** Never used again in this table. The name in SQL is `c<id>`. */
  readonly id: number;
  readonly docString: string;
}

export interface CatalogTable extends TableSchema {
  readonly id: number;
  readonly columns: readonly CatalogColumn[];
  readonly nextColumnId: number;
  /** Ticks. */
  readonly createdOn: bigint;
  readonly mappings: readonly Mapping[];
  readonly policies: Policies;
}

export interface CatalogFunction extends FunctionSchema {
  readonly id: number;
}

export interface CatalogDatabase extends DatabaseSchema {
  readonly id: number;
  /** Ticks. */
  readonly createdOn: bigint;
  readonly tables: readonly CatalogTable[];
  readonly functions: readonly CatalogFunction[];
  readonly mappings: readonly Mapping[];
  readonly policies: Policies;
}

/** Everything, immutable: a change makes a new object and keeps what it does not touch. */
export interface CatalogSchema extends ClusterSchema {
  readonly databases: readonly CatalogDatabase[];
  /** Policies of the cluster. */
  readonly policies: Policies;
}

/** Names of databases are the same in upper and lower case; all others are not. */
export function findDatabase(schema: CatalogSchema, name: string): CatalogDatabase | undefined {
  const wanted = name.toLowerCase();
  return schema.databases.find((database) => database.name.toLowerCase() === wanted);
}

export function databaseOf(schema: CatalogSchema, name: string): CatalogDatabase {
  const database = findDatabase(schema, name);
  if (database === undefined) throw notFound("Database", name);
  return database;
}

export function findTable(database: CatalogDatabase, name: string): CatalogTable | undefined {
  return database.tables.find((table) => table.name === name);
}

export function tableOf(database: CatalogDatabase, name: string): CatalogTable {
  const table = findTable(database, name);
  if (table === undefined) throw notFound("Table", name, database.name);
  return table;
}

export function functionOf(database: CatalogDatabase, name: string): CatalogFunction {
  const found = database.functions.find((one) => one.name === name);
  if (found === undefined) throw notFound("Function", name, database.name);
  return found;
}

/** The name of a table without schema and quotes. */
export function sqlTable({ id }: { readonly id: number }): string {
  return `t${id}`;
}

/** The columns in the order in which the SQL engine stores them. */
export function physicalColumns({ columns }: CatalogTable): readonly CatalogColumn[] {
  return columns.toSorted((a, b) => a.id - b.id);
}

import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import {
  lookup,
  migrationColumns,
  NO_CASCADE,
  ownerColumns,
  ownerReferences,
  primaryId,
  reference,
  stampColumns,
  stampReferences,
  state,
  status,
} from "../definitions/columns.ts";
import { compileTable, type Table } from "../definitions/table.ts";
import { ACTIVE_INACTIVE, ORDINARY_MESSAGES } from "../definitions/system-tables.ts";
import type { CascadeAction, Column, TableDefinition } from "../definitions/types.ts";
import { badArgument, badBody, CODES, shown } from "../protocol/refusals.ts";
import { isBody, type Body } from "../rows/body.ts";
import { dropPhysical, ensurePhysical } from "../storage/physical.ts";
import { sql, writerOf, type Writer } from "../storage/sql.ts";
import { logicalNameOf, readAttribute, readLabel } from "./read-attribute.ts";

const TABLES_MAX = 1000;
const COLUMNS_MAX = 500;
const ACTIONS: readonly CascadeAction[] = ["Cascade", "NoCascade", "RemoveLink", "Restrict"];

/** `EntityMetadata` as a definition: what every table has is added to what is named. */
export function readTable(context: Context, body: Body): TableDefinition {
  const logicalName = logicalNameOf(body["SchemaName"], "table");
  requireRoom(context, logicalName);
  const sent: readonly unknown[] = Array.isArray(body["Attributes"]) ? body["Attributes"] : [];
  const primaryName = primaryNameOf(sent);
  const isOwned = body["OwnershipType"] !== "OrganizationOwned";
  return {
    logicalName,
    schemaName: String(body["SchemaName"]),
    entitySetName: `${logicalName}s`,
    collectionSchemaName: `${String(body["SchemaName"])}s`,
    displayName: readLabel(body["DisplayName"]) ?? logicalName,
    description: readLabel(body["Description"]) ?? "",
    primaryId: `${logicalName}id`,
    primaryName: primaryName.logicalName,
    ownership: isOwned ? "UserOwned" : "OrganizationOwned",
    isCustom: true,
    columns: unique([
      primaryId(`${logicalName}id`),
      ...sent.map(readAttribute),
      state(),
      status(),
      ...migrationColumns(),
      ...stampColumns(),
      ...(isOwned ? ownerColumns({ assignable: true }) : []),
    ]),
    keys: [],
    references: [...stampReferences(logicalName), ...(isOwned ? ownerReferences(logicalName) : [])],
    links: [],
    states: ACTIVE_INACTIVE,
    messages: ORDINARY_MESSAGES,
    hasChangeTracking: true,
  };
}

function requireRoom({ catalog }: Context, logicalName: string): void {
  if (catalog.table(logicalName) !== undefined) {
    throw badArgument(`There is a table ${logicalName} already.`);
  }
  if (catalog.tables().length < TABLES_MAX) return;
  throw badArgument(`There are ${TABLES_MAX} tables, which is the limit.`);
}

function primaryNameOf(attributes: readonly unknown[]): Column {
  const marked = attributes.filter((one) => isBody(one) && one["IsPrimaryName"] === true);
  const [column] = marked.map(readAttribute);
  if (marked.length === 1 && column?.type === "String") return column;
  throw badBody("One of the Attributes is a string with IsPrimaryName: true.");
}

function unique(columns: readonly Column[]): readonly Column[] {
  const names = new Set<string>();
  for (const { logicalName } of columns) {
    if (names.has(logicalName)) throw badArgument(`There is a column ${logicalName} already.`);
    names.add(logicalName);
  }
  if (columns.length <= COLUMNS_MAX) return columns;
  throw badArgument(`A table has at most ${COLUMNS_MAX} columns.`);
}

export function withColumn({ definition }: Table, column: Column): TableDefinition {
  if (column.requiredLevel === "ApplicationRequired") {
    throw badArgument(`${column.logicalName} cannot be required of rows that exist already.`);
  }
  return { ...definition, columns: unique([...definition.columns, column]) };
}

/** `EntityKeyMetadata`: columns that are unique together. */
export function withKey({ definition, column }: Table, body: Body): TableDefinition {
  const name = logicalNameOf(body["SchemaName"], "key");
  const columns: readonly unknown[] = Array.isArray(body["KeyAttributes"])
    ? body["KeyAttributes"]
    : [];
  const names = columns.map((one) => {
    if (typeof one === "string" && column(one) !== undefined) return one;
    throw badBody(`The key ${name} names ${shown(one)}, which is not a column.`);
  });
  if (names.length === 0) throw badBody(`The key ${name} has no KeyAttributes.`);
  if (definition.keys.some((key) => key.name === name)) {
    throw badArgument(`There is a key ${name} already.`);
  }
  return { ...definition, keys: [...definition.keys, { name, columns: names }] };
}

/** `OneToManyRelationshipMetadata`: a lookup in one table to the rows of another. */
export function withLookup({ catalog }: Context, body: Body): TableDefinition {
  const target = catalog.table(String(body["ReferencedEntity"]));
  const source = catalog.table(String(body["ReferencingEntity"]));
  if (target === undefined || source === undefined) {
    throw badBody("ReferencedEntity and ReferencingEntity are the logical names of tables.");
  }
  const attribute = isBody(body["Lookup"]) ? body["Lookup"] : {};
  const name = logicalNameOf(attribute["SchemaName"], "lookup");
  const cascade = isBody(body["CascadeConfiguration"]) ? body["CascadeConfiguration"] : {};
  const said = cascade["Delete"] ?? "RemoveLink";
  const onDelete = ACTIONS.find((one) => one === said);
  if (onDelete === undefined) throw badBody(`The cascade ${shown(said)} is not known.`);
  const schemaName = logicalNameOf(body["SchemaName"], "relationship");
  const column = lookup(name, [target.logicalName], {
    schemaName: String(attribute["SchemaName"]),
    displayName: readLabel(attribute["DisplayName"]) ?? name,
  });
  const made = reference(source.logicalName, name, target.logicalName, {
    schemaName,
    navigationProperty: String(attribute["SchemaName"]),
    cascade: { ...NO_CASCADE, delete: onDelete },
  });
  const changed = withColumn(source, column);
  return { ...changed, references: [...changed.references, made] };
}

/** Stores a definition and makes its columns; it is in force when this resolves. */
export async function saveTable(context: Context, definition: TableDefinition): Promise<void> {
  const { store, dialect, catalog } = context;
  await store.write(async (transaction) => {
    const writer = writerOf(transaction, dialect);
    await ensurePhysical(
      writer,
      compileTable(definition, () => []),
    );
    await forget(writer, definition.logicalName);
    await writer.run(
      sql("insert into table_definition (logical_name, definition) values (?, ?)", [
        definition.logicalName,
        JSON.stringify(definition),
      ]),
    );
  });
  const others = catalog.tables().map((table) => table.definition);
  const kept = others.filter(({ logicalName }) => logicalName !== definition.logicalName);
  catalog.replace([...kept, definition]);
}

/** Removes a table that a user has defined, with all its rows. */
export async function removeTable(context: Context, table: Table): Promise<void> {
  const { store, dialect, catalog } = context;
  if (table.logicalName.startsWith("svc_") || !table.definition.isCustom) {
    throw badArgument(`The table ${table.logicalName} is not one that a user has defined.`);
  }
  const incoming = catalog.incoming(table.logicalName).find(({ source }) => source !== table);
  if (incoming !== undefined) {
    const { logicalName } = incoming.source;
    const message = `Rows of ${logicalName} may refer to rows of ${table.logicalName}.`;
    throw new Problem(405, CODES.CannotDeleteDueToAssociation, message);
  }
  await store.write(async (transaction) => {
    const writer = writerOf(transaction, dialect);
    await dropPhysical(writer, table);
    await forget(writer, table.logicalName);
  });
  const others = catalog.tables().map(({ definition }) => definition);
  catalog.replace(others.filter(({ logicalName }) => logicalName !== table.logicalName));
}

async function forget(writer: Writer, logicalName: string): Promise<void> {
  await writer.run(sql("delete from table_definition where logical_name = ?", [logicalName]));
}

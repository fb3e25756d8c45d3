import { KqlError } from "#engines/kql/kql-error.ts";
import {
  MAPPING_KINDS,
  tableOf,
  type CatalogDatabase,
  type Mapping,
  type MappingKind,
} from "../catalog/catalog-schema.ts";
import { dropMapping, putMapping, type MappingRule } from "../catalog/mappings.ts";
import { change, MANAGE_DATABASE, MANAGE_TABLE, SEE, SEE_TABLE, show } from "./command.ts";
import type { CommandCall, Commands } from "./command.ts";
import { argument, maybeArgument } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";
import { named } from "./show/databases.ts";

const MAPPINGS = columnsOf("Name, Kind, Mapping, LastUpdatedOn:datetime, Database, Table");

/** Commands about ingestion mappings, of tables and of databases. */
export const mappingCommands: Commands = {
  CreateTableIngestionMapping: change(MANAGE_TABLE, (call) => put(call, "create")),
  CreateOrAlterTableIngestionMapping: change(MANAGE_TABLE, (call) => put(call, "create-or-alter")),
  AlterTableIngestionMapping: change(MANAGE_TABLE, (call) => put(call, "alter")),
  DropTableIngestionMapping: change(MANAGE_TABLE, drop),
  ShowTableIngestionMapping: show(SEE_TABLE, find),
  ShowTableIngestionMappings: show(SEE_TABLE, find),
  CreateDatabaseIngestionMapping: change(MANAGE_DATABASE, (call) => put(call, "create")),
  CreateOrAlterDatabaseIngestionMapping: change(MANAGE_DATABASE, (call) => {
    return put(call, "create-or-alter");
  }),
  AlterDatabaseIngestionMapping: change(MANAGE_DATABASE, (call) => put(call, "alter")),
  DropDatabaseIngestionMapping: change(MANAGE_DATABASE, drop),
  ShowDatabaseIngestionMapping: show(SEE, find),
  ShowDatabaseIngestionMappings: show(SEE, find),
};

function placeOf(call: CommandCall) {
  return { database: named(call).name, table: maybeArgument(call.command, "TableName") };
}

/** The kind of a mapping; those of all the JSON formats are one. */
function mappingKind(text: string): MappingKind {
  const lower = text.toLowerCase().replace("apacheavro", "avro");
  const kind = MAPPING_KINDS.find((one) => one === lower);
  if (kind !== undefined) return kind;
  const kinds = MAPPING_KINDS.join(", ");
  throw new KqlError("semantic", `'${text}' is no kind of mapping; there are ${kinds}.`);
}

async function put(call: CommandCall, rule: MappingRule): Promise<CommandResult> {
  const { context, command } = call;
  const place = placeOf(call);
  const definition = {
    ...place,
    kind: mappingKind(argument(command, "MappingKind")),
    name: argument(command, "MappingName"),
    text: argument(command, "MappingFormat"),
  };
  return list([await putMapping(context.catalog, definition, rule)], place);
}

async function drop(call: CommandCall): Promise<CommandResult> {
  const { context, command } = call;
  const found = find(call);
  await dropMapping(context.catalog, {
    ...placeOf(call),
    kind: mappingKind(argument(command, "MappingKind")),
    name: argument(command, "MappingName"),
  });
  return found;
}

/** Those of the place, of the kind and name that the command names. */
function find(call: CommandCall): CommandResult {
  const { command } = call;
  const place = placeOf(call);
  const kind = maybeArgument(command, "MappingKind");
  const name = maybeArgument(command, "MappingName");
  const found = mappingsAt(named(call), place.table).filter(
    (one) =>
      (kind === undefined || one.kind === mappingKind(kind)) &&
      (name === undefined || one.name === name),
  );
  if (name === undefined || found.length > 0) return list(found, place);
  throw new KqlError("semantic", `There is no mapping '${name}' here.`, {
    code: "BadRequest_EntityNotFound",
  });
}

function mappingsAt(database: CatalogDatabase, table: string | undefined): readonly Mapping[] {
  return (table === undefined ? database : tableOf(database, table)).mappings;
}

function list(
  mappings: readonly Mapping[],
  { database, table }: { readonly database: string; readonly table: string | undefined },
): CommandResult {
  const rows = mappings.map(({ name, kind, text, updatedOn }) => {
    return [name, kind, text, updatedOn, database, table ?? ""];
  });
  return { columns: MAPPINGS, rows };
}

import type { Catalog, CatalogChange } from "./catalog.ts";
import { alreadyExists, CatalogError } from "./catalog-error.ts";
import {
  databaseOf,
  functionOf,
  type CatalogDatabase,
  type CatalogFunction,
} from "./catalog-schema.ts";
import { checkName } from "./names.ts";

const FUNCTIONS_MAX = 100_000;
const FUNCTION_LENGTH_MAX = 1_000_000;

export interface FunctionDefinition {
  readonly database: string;
  readonly name: string;
  /** With parentheses. */
  readonly parameters: string;
  /** With braces. */
  readonly body: string;
  readonly folder?: string | undefined;
  readonly docString?: string | undefined;
}

/** What to do when a function of this name exists, or does not. */
export type FunctionRule = "create" | "create-if-not-exists" | "create-or-alter" | "alter";

export async function putFunction(
  catalog: Catalog,
  definition: FunctionDefinition,
  rule: FunctionRule,
): Promise<CatalogFunction> {
  const { database, name, parameters, body } = definition;
  checkName("function", name);
  if (parameters.length + body.length > FUNCTION_LENGTH_MAX) {
    const message = `Function '${name}' has more than ${FUNCTION_LENGTH_MAX} characters.`;
    throw new CatalogError("limit", message);
  }
  return await catalog.change(async (change) => {
    const place = databaseOf(change.schema(), database);
    const existing = existingFunction(place, name, rule);
    if (existing !== undefined && rule === "create-if-not-exists") return existing;
    const item = {
      id: existing?.id ?? newId(change, place),
      name,
      parameters,
      body,
      ...described(definition, existing),
    };
    await change.putFunction(place.id, item);
    return item;
  });
}

function existingFunction(place: CatalogDatabase, name: string, rule: FunctionRule) {
  if (rule === "alter") return functionOf(place, name);
  const existing = place.functions.find((one) => one.name === name);
  if (existing !== undefined && rule === "create") throw alreadyExists("Function", name);
  return existing;
}

function described(
  definition: Pick<FunctionDefinition, "folder" | "docString">,
  existing: CatalogFunction | undefined,
) {
  return {
    folder: definition.folder ?? existing?.folder ?? "",
    docString: definition.docString ?? existing?.docString ?? "",
  };
}

function newId(change: CatalogChange, { functions }: CatalogDatabase): number {
  if (functions.length < FUNCTIONS_MAX) return change.nextId();
  throw new CatalogError("limit", `A database may have ${FUNCTIONS_MAX} functions at most.`);
}

/** Drops functions; those that do not exist only with `ifExists`. Gives those dropped. */
export async function dropFunctions(
  catalog: Catalog,
  {
    database,
    names,
    ifExists = false,
  }: {
    readonly database: string;
    readonly names: readonly string[];
    readonly ifExists?: boolean;
  },
): Promise<readonly CatalogFunction[]> {
  return await catalog.change(async (change) => {
    const place = databaseOf(change.schema(), database);
    if (!ifExists) for (const name of names) functionOf(place, name);
    const dropped = place.functions.filter(({ name }) => names.includes(name));
    for (const { id } of dropped) await change.remove(id);
    return dropped;
  });
}

/** Sets what describes a function; what is left out stays. */
export async function describeFunction(
  catalog: Catalog,
  {
    database,
    name,
    folder,
    docString,
  }: Pick<FunctionDefinition, "database" | "name" | "folder" | "docString">,
): Promise<CatalogFunction> {
  const { parameters, body } = functionOf(databaseOf(catalog.schema(), database), name);
  const definition = { database, name, parameters, body, folder, docString };
  return await putFunction(catalog, definition, "alter");
}

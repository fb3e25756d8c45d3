import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { guidOf, parseNamed, type Segment } from "../protocol/path.ts";
import { badQuery, CODES, noMethod, noSegment } from "../protocol/refusals.ts";
import { answered, type Answer, type Request } from "../protocol/request.ts";
import { Problem } from "#platform/problem.ts";
import { attributeOf, optionSet } from "./attribute.ts";
import { metadataType } from "./edm.ts";
import {
  entityDefinition,
  entityId,
  keysOf,
  manyToMany,
  manyToOne,
  oneToMany,
} from "./entity-definition.ts";

type Item = Readonly<Record<string, unknown>>;

/** `EntityDefinitions…`: what tables there are, their columns, relationships and keys. */
export function answerDefinitions(
  context: Context,
  request: Request,
  [first, ...rest]: readonly [Segment, ...Segment[]],
): Answer {
  if (request.method !== "GET") throw noMethod(request.method, first.name);
  const { catalog } = context;
  if (first.args === undefined) {
    const items = catalog.tables().map((table) => withExpanded(context, request, table));
    return list(request, "EntityDefinitions", items);
  }
  const table = requireTable(context, first.args);
  const [part, ...more] = rest;
  if (part === undefined) {
    return single(request, "EntityDefinitions", withExpanded(context, request, table));
  }
  if (part.name === "Attributes") return attributes(request, table, part, more);
  const items = PARTS.get(part.name)?.(context, table);
  if (items === undefined || more.length > 0) throw noSegment(part.name);
  return list(request, part.name, items.map(itemOf));
}

const PARTS: ReadonlyMap<string, (context: Context, table: Table) => readonly object[]> = new Map([
  ["Keys", (_context: Context, table: Table) => keysOf(table)],
  ["ManyToManyRelationships", ({ catalog }: Context, table: Table) => manyToMany(catalog, table)],
  ["ManyToOneRelationships", ({ catalog }: Context, table: Table) => manyToOne(catalog, table)],
  ["OneToManyRelationships", ({ catalog }: Context, table: Table) => oneToMany(catalog, table)],
]);

function withExpanded(context: Context, request: Request, table: Table): Item {
  const expanded = (request.query.get("$expand") ?? "").split(/,(?![^(]*\))/).flatMap((part) => {
    const name = part.replace(/\(.*$/s, "").trim();
    if (name === "") return [];
    if (name === "Attributes") {
      return [[name, table.columns.map((column) => attributeOf(table, column, true))]];
    }
    const items = PARTS.get(name)?.(context, table);
    if (items === undefined) throw badQuery(`EntityDefinitions has no ${name} to expand.`);
    return [[name, items]];
  });
  const more: Item = Object.fromEntries(expanded);
  return { ...selected(request, entityDefinition(table)), ...more };
}

/** `Attributes`, those of one kind, or one by its name. */
function attributes(
  request: Request,
  table: Table,
  part: Segment,
  more: readonly Segment[],
): Answer {
  const cast = more.find(({ name }) => name.startsWith("Microsoft.Dynamics.CRM."));
  const kind = cast?.name.replace("Microsoft.Dynamics.CRM.", "");
  const withOptions = request.query.has("$expand");
  if (part.args === undefined) {
    const columns = table.columns.filter(
      (column) => kind === undefined || metadataType(column) === kind,
    );
    const items = columns.map((column) => itemOf(attributeOf(table, column, withOptions)));
    return list(
      request,
      "Attributes",
      items.map((item) => selected(request, item)),
    );
  }
  const name = parseNamed(part.args).get("LogicalName") ?? "";
  const column = table.column(name);
  if (column === undefined || (kind !== undefined && metadataType(column) !== kind)) {
    throw noMetadata(`attribute ${name} of ${table.logicalName}`);
  }
  if (more.at(-1)?.name === "OptionSet") {
    const set = optionSet(table, column);
    if (set === undefined) throw noMetadata(`option set of ${name}`);
    return single(request, "OptionSet", itemOf(set));
  }
  const item = itemOf(attributeOf(table, column, withOptions));
  return single(request, "Attributes", selected(request, item));
}

/** The table that `LogicalName='…'` or its metadata id names. */
export function requireTable({ catalog }: Context, args: string): Table {
  const id = guidOf(args);
  const name = id === undefined ? parseNamed(args).get("LogicalName") : undefined;
  const table =
    name === undefined ? catalog.tables().find((one) => entityId(one) === id) : catalog.table(name);
  if (table === undefined) throw noMetadata(`table ${name ?? args}`);
  return table;
}

function noMetadata(what: string): Problem {
  return new Problem(404, CODES.ObjectDoesNotExist, `Could not find the ${what}.`);
}

function itemOf(item: object): Item {
  return { ...item };
}

/** What `$select` names, and what identifies the item. */
function selected({ query }: Request, item: Item): Item {
  const select = query.get("$select");
  if (select === undefined || select.trim() === "") return item;
  const names = select.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!(name in item)) throw badQuery(`Could not find a property named '${name}'.`);
  }
  const kept = ["@odata.type", ...names, "MetadataId", "OptionSet", "GlobalOptionSet"];
  return Object.fromEntries(kept.filter((name) => name in item).map((name) => [name, item[name]]));
}

const CONDITION = /^\s*(\w+)\s+(eq|ne)\s+('(?:[^']|'')*'|true|false|\d+)\s*$/;

/** Metadata is filtered by comparisons of properties, all of which have to hold. */
function list(request: Request, name: string, items: readonly Item[]): Answer {
  const filter = request.query.get("$filter");
  const value = filter === undefined ? items : items.filter((item) => matches(item, filter));
  return answered(200, { "@odata.context": `${request.base}/$metadata#${name}`, value });
}

function matches(item: Item, filter: string): boolean {
  return filter.split(/\s+and\s+/).every((condition) => {
    const [, name = "", operator, literal = ""] = CONDITION.exec(condition) ?? [];
    if (operator === undefined) {
      throw badQuery(`The condition '${condition}' is not understood on metadata.`);
    }
    const wanted = literal.replace(/^'|'$/g, "").replaceAll("''", "'");
    return (String(item[name]) === wanted) === (operator === "eq");
  });
}

function single(request: Request, name: string, item: Item): Answer {
  const context = `${request.base}/$metadata#${name}/$entity`;
  return answered(200, { "@odata.context": context, ...item });
}

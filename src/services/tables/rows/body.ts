import type {
  CollectionNavigation,
  LinkNavigation,
  Navigation,
  SingleNavigation,
  Table,
} from "../definitions/table.ts";
import { isLookup } from "../definitions/table.ts";
import { guidOf } from "../protocol/path.ts";
import { badArgument, badBody, shown } from "../protocol/refusals.ts";
import type { Cell } from "../storage/sql.ts";
import { cellOf } from "./cells.ts";

export type Body = Readonly<Record<string, unknown>>;

/** What a body says of a row, checked against the table and not yet against other rows. */
export interface RowInput {
  /** The id that the client has given, if any. */
  readonly id: string | undefined;
  readonly cells: ReadonlyMap<string, Cell>;
  /** Lookups: the URL of a row, or null to refer to none. */
  readonly bound: readonly { readonly navigation: SingleNavigation; readonly url: unknown }[];
  /** Rows to be created first, and to be referred to. */
  readonly parents: readonly { readonly navigation: SingleNavigation; readonly body: Body }[];
  /** Rows to be created afterwards, and to be connected with this one. */
  readonly children: readonly Connected[];
}

export interface Connected {
  readonly navigation: CollectionNavigation | LinkNavigation;
  /** A row to create, or the URL of one to connect. */
  readonly rows: readonly ({ readonly body: Body } | { readonly url: unknown })[];
}

export type Purpose = "create" | "update";

interface Draft {
  id: string | undefined;
  readonly cells: Map<string, Cell>;
  readonly bound: RowInput["bound"][number][];
  readonly parents: RowInput["parents"][number][];
  readonly children: Connected[];
}

const BIND = "@odata.bind";

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a body; names what the table does not have and what cannot be written. */
export function parseBody(table: Table, body: unknown, purpose: Purpose): RowInput {
  if (!isBody(body)) throw badBody(`The body is not an object but ${shown(body)}.`);
  const draft: Draft = { id: undefined, cells: new Map(), bound: [], parents: [], children: [] };
  for (const [name, value] of Object.entries(body)) {
    if (name.endsWith(BIND)) takeBinding(table, draft, name.slice(0, -BIND.length), value);
    // Any other name with an @ is an annotation, which clients send back as they got it.
    else if (!name.includes("@")) takeProperty(table, draft, { name, value, purpose });
  }
  return draft;
}

interface Property {
  readonly name: string;
  readonly value: unknown;
  readonly purpose: Purpose;
}

function takeProperty(table: Table, draft: Draft, property: Property): void {
  const { name, value } = property;
  const column = table.column(name);
  if (column !== undefined && !isLookup(column)) {
    takeColumn(table, draft, property);
    return;
  }
  const navigation = table.navigation(name);
  if (navigation !== undefined) {
    takeNested(draft, navigation, value);
    return;
  }
  const read = table.property(name);
  if (read !== undefined) {
    throw badBody(`${name} is for reading; set it with ${read.logicalName}${BIND}.`);
  }
  throw badBody(`The property '${name}' does not exist on ${table.logicalName}.`);
}

function takeColumn(table: Table, draft: Draft, { name, value, purpose }: Property): void {
  const column = table.column(name);
  if (column === undefined) return;
  if (name === table.primaryId) {
    draft.id = idOfBody(name, value);
    return;
  }
  const isValid = purpose === "create" ? column.isValidForCreate : column.isValidForUpdate;
  if (!isValid) throw badArgument(`The column ${name} of ${table.logicalName} is read-only.`);
  draft.cells.set(name, cellOf(table, column, value));
}

function idOfBody(name: string, value: unknown): string {
  const id = typeof value === "string" ? guidOf(value) : undefined;
  if (id === undefined) throw badBody(`The value ${shown(value)} of ${name} is not a GUID.`);
  return id;
}

function takeBinding(table: Table, draft: Draft, name: string, value: unknown): void {
  const navigation = table.navigation(name);
  if (navigation === undefined) {
    throw badBody(`The navigation property '${name}' does not exist on ${table.logicalName}.`);
  }
  if (navigation.kind === "single") {
    requireWritable(navigation);
    draft.bound.push({ navigation, url: value });
    return;
  }
  if (!Array.isArray(value)) throw badBody(`${name}${BIND} takes a list of URLs.`);
  const urls: readonly unknown[] = value;
  draft.children.push({ navigation, rows: urls.map((url) => ({ url })) });
}

function takeNested(draft: Draft, navigation: Navigation, value: unknown): void {
  if (navigation.kind === "single") {
    requireWritable(navigation);
    if (value === null) draft.bound.push({ navigation, url: null });
    else if (isBody(value)) draft.parents.push({ navigation, body: value });
    else throw badBody(`${navigation.name} takes a row or null, not ${shown(value)}.`);
    return;
  }
  const rows: readonly unknown[] = Array.isArray(value) ? value : [value];
  const bodies = rows.map((body) => {
    if (isBody(body)) return { body };
    throw badBody(`${navigation.name} takes a list of rows, not ${shown(value)}.`);
  });
  draft.children.push({ navigation, rows: bodies });
}

function requireWritable({ column }: SingleNavigation): void {
  if (column.isValidForCreate) return;
  throw badArgument(`The column ${column.logicalName} is read-only.`);
}

import { KqlError } from "../kql-error.ts";
import { positionOf, type KqlSymbol, type SyntaxNode } from "../language/syntax.ts";
import type { Column, Relation, SortKey } from "../plan/relation.ts";
import type { Scalar } from "../plan/scalar.ts";
import type { KqlType, TableSchema } from "../types.ts";

/** A tabular expression as far as it is translated. */
export interface Table {
  /** Has all of `columns`, and hidden ones that `order` and `group` need. */
  readonly relation: Relation;
  /** What the language sees, in its order. */
  readonly columns: readonly Column[];
  /** By columns of the relation; empty while no operator has given an order. */
  readonly order: readonly SortKey[];
  /** Whether functions that look at other rows may be used. */
  readonly isSerialized: boolean;
  /** Hidden columns: every operator works within the rows that share their values. */
  readonly group: readonly Column[];
}

/** What a name stands for, besides columns. */
export type Binding =
  | { readonly kind: "scalar"; readonly value: Scalar }
  | { readonly kind: "table"; readonly table: Table }
  | { readonly kind: "function"; readonly node: SyntaxNode };

/** What the names in a scalar expression refer to. */
export interface Scope {
  readonly table?: Table;
  /** `$left` and `$right` of a join's condition. */
  readonly sides?: { readonly left: Table; readonly right: Table };
  /** Rows that have names of their own: steps of a scan, nodes and edges of a graph. */
  readonly rows?: ReadonlyMap<string, Table>;
  /** What `invoke` hands to a function as its first argument. */
  readonly invoked?: Table;
}

/** How a result wants to be drawn; see the documentation of `render`. */
export type Visualization = Readonly<Record<string, unknown>>;

/** Who asks, as far as the language can tell. */
export interface CallerFacts {
  readonly objectId: string;
  readonly tenantId: string;
  readonly kind: "user" | "app";
  readonly name: string;
  /** Whether the caller is one of these principals, or in one of these groups. */
  readonly isMemberOf: (principals: readonly string[]) => boolean;
}

/** The text at a place that a query names; throws a `KqlError` when it may not be read. */
export type FetchExternal = (url: string) => Promise<string>;

/** State of the translation of one query. */
export interface Translation {
  /** Expressions and tables contain each other, so each is translated through here. */
  readonly scalar: (node: SyntaxNode, scope: Scope, state: Translation) => Scalar;
  readonly tabular: (node: SyntaxNode, state: Translation, input?: Table) => Table;
  readonly newColumn: (name: string, type: KqlType) => Column;
  /** The whole text; bodies of functions have roots of their own. */
  readonly root: SyntaxNode;
  readonly bindings: Map<KqlSymbol, Binding>;
  readonly tableOf: (symbol: KqlSymbol) => TableSchema | undefined;
  /** All tables of the database, for what names none or many. */
  readonly tables: readonly TableSchema[];
  /** Values of `declare query_parameters`, as text in the language. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly database: string;
  readonly caller: CallerFacts | undefined;
  readonly clusterUri: string;
  /** What `set` statements say, by name. */
  readonly options: Map<string, SyntaxNode | undefined>;
  /** Whether the plan depends on who asks. */
  isPersonal: boolean;
  /** Set by `render`, which is about the answer and not about its rows. */
  visualization: Visualization | undefined;
  /** Reads a text from elsewhere; without it, queries reach nothing outside. */
  readonly fetchExternal: FetchExternal | undefined;
  /** What a statement gives besides its table: `fork` and `facet`. */
  readonly furtherTables: Table[];
  /** How deep functions call each other. */
  depth: number;
}

/** A bound scalar expression as plan. */
export function translateScalar(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  return state.scalar(node, scope, state);
}

/** A bound tabular expression as plan; `input` is what stands before the `|` of an operator. */
export function translateTabular(node: SyntaxNode, state: Translation, input?: Table): Table {
  return state.tabular(node, state, input);
}

export function unsupported(node: SyntaxNode, message: string): KqlError {
  return new KqlError("unsupported", message, { position: positionOf(node) });
}

export const NO_SCOPE: Scope = {};

/** The visible column of this name. */
export function findColumn(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name);
}

export function use(column: Column): Scalar {
  return { kind: "column", id: column.id, type: column.type };
}

/** A table of a fresh relation whose columns are all visible. */
export function tableOfRelation(relation: Relation): Table {
  const { columns, order } = relation;
  return { relation, columns, order, isSerialized: order.length > 0, group: [] };
}

export interface NewValue {
  readonly column: Column;
  readonly value: Scalar;
}

/** The table with exactly these columns; order and group stay. */
export function projected(table: Table, values: readonly NewValue[]): Table {
  const made = new Set(values.map(({ column }) => column.id));
  const hidden = keptHidden(table).filter(({ id }) => !made.has(id));
  const columns = values.map(({ column }) => column);
  return {
    ...table,
    columns,
    relation: {
      kind: "project",
      input: table.relation,
      columns: [...columns, ...hidden],
      values: [...values.map(({ value }) => value), ...hidden.map(use)],
      order: table.order,
    },
  };
}

/** Hidden columns of stored rows; no column of the language has such a name. */
export const INGESTED_COLUMN = "$ingested";
export const EXTENT_COLUMN = "$extent";

// Order and group columns have to survive a projection also where they are visible now.
function keptHidden(table: Table): readonly Column[] {
  const needed = new Set<number>(table.group.map(({ id }) => id));
  for (const { value } of table.order) if (value.kind === "column") needed.add(value.id);
  return table.relation.columns.filter(({ id, name }) => {
    return needed.has(id) || name === INGESTED_COLUMN || name === EXTENT_COLUMN;
  });
}

/** The table with hidden columns added. */
export function withHidden(table: Table, values: readonly NewValue[]): Table {
  if (values.length === 0) return table;
  const { relation } = table;
  return {
    ...table,
    relation: {
      kind: "project",
      input: relation,
      columns: [...relation.columns, ...values.map(({ column }) => column)],
      values: [...relation.columns.map(use), ...values.map(({ value }) => value)],
      order: table.order,
    },
  };
}

/** The same rows with other visible columns, which the relation already has. */
export function showing(table: Table, columns: readonly Column[]): Table {
  return { ...table, columns };
}

/** Groups and order first, so that rows of one group stand together. */
export function groupKeys(table: Table): readonly Scalar[] {
  return table.group.map(use);
}

import type {
  Computed,
  Join,
  JoinKind,
  Project,
  Relation,
  Summarize,
  Unnest,
  Values,
} from "../../plan/relation.ts";
import type { Scalar } from "../../plan/scalar.ts";
import { literalSql } from "./literals.ts";
import {
  columnName,
  conditionSql,
  orderRowsBy,
  scalarSql,
  type ScalarContext,
} from "./scalar-sql.ts";
import { nullOf, SQL_TYPES } from "./sql.ts";

/** What relations are written with. */
export interface RelationContext extends ScalarContext {
  /** The name of the temporary table that will hold the rows made in JavaScript. */
  readonly computedName: (relation: Computed) => string;
}

type Writers = {
  readonly [K in Relation["kind"]]: (
    relation: Extract<Relation, { kind: K }>,
    names: readonly string[],
    context: RelationContext,
  ) => string;
};

/** The SELECT of one relation; its inputs are read by name. */
export function relationSql(relation: Relation, context: RelationContext): string {
  const names = relation.columns.map(({ id }) => columnName(id));
  // The writer of a kind takes relations of that kind, which the compiler cannot follow.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const write = WRITERS[relation.kind] as (
    relation: Relation,
    names: readonly string[],
    context: RelationContext,
  ) => string;
  return write(relation, names, context);
}

const WRITERS: Writers = {
  table: ({ stored, sqlName }, names) => `SELECT ${renamed(stored, names)} FROM ${sqlName}`,
  values: valuesSql,
  range: rangeSql,
  project: projectSql,
  filter: ({ input, condition }, names, context) => {
    const from = source(input, context);
    const test = conditionSql(condition, from.context);
    return `SELECT ${names.join(", ")} FROM ${from.text()} WHERE ${test}`;
  },
  take: ({ input, order, count }, _names, context) =>
    `SELECT * FROM ${context.nameOf(input)}${orderRowsBy(order, context)} ` +
    `LIMIT greatest(${scalarSql(count, context).text}, 0)`,
  first: ({ input, keys }, _names, context) => {
    const all = keys.map((key) => scalarSql(key, context).text).join(", ");
    return `SELECT DISTINCT ON (${all}) * FROM ${context.nameOf(input)}`;
  },
  summarize: summarizeSql,
  join: (relation, _names, context) => joinSql(relation, context),
  union: unionSql,
  unnest: (relation, _names, context) => unnestSql(relation, context),
  shared: ({ of }, names, context) => {
    const from = of.columns.map(({ id }) => columnName(id));
    return `SELECT ${renamed(from, names)} FROM ${context.nameOf(of)}`;
  },
  computed: (relation, names, context) => {
    // A temporary table names its columns by position.
    const from = names.map((_name, index) => `c${String(index)}`);
    return `SELECT ${renamed(from, names)} FROM ${context.computedName(relation)}`;
  },
};

function renamed(from: readonly string[], names: readonly string[]): string {
  return from.map((name, index) => `${name} AS ${names[index] ?? ""}`).join(", ");
}

interface Source {
  /** What follows FROM, once all expressions over it are written. */
  readonly text: () => string;
  readonly context: RelationContext;
}

/** A relation to read from, with what its readers want to be computed once per row. */
function source(relation: Relation, context: RelationContext): Source {
  const made = new Map<string, string>();
  const name = context.nameOf(relation);
  return {
    context: {
      ...context,
      once(sql) {
        const known = made.get(sql) ?? `once${String(made.size)}`;
        made.set(sql, known);
        return known;
      },
    },
    text() {
      if (made.size === 0) return name;
      const values = [...made].map(([sql, column]) => `${sql} AS ${column}`);
      return `(SELECT *, ${values.join(", ")} FROM ${name})`;
    },
  };
}

function projectSql(
  { input, values }: Project,
  names: readonly string[],
  context: RelationContext,
): string {
  const from = input === undefined ? undefined : source(input, context);
  const texts = values.map((value) => scalarSql(value, from?.context ?? context).text);
  const list = texts.length === 0 ? "1 AS c0" : renamed(texts, names);
  return `SELECT ${list}${from === undefined ? "" : ` FROM ${from.text()}`}`;
}

function valuesSql({ rows, columns }: Values, names: readonly string[]): string {
  if (rows.length === 0) {
    const none = columns.map(({ type }, index) => `${nullOf(type)} AS ${names[index] ?? ""}`);
    return `SELECT ${none.join(", ")} WHERE false`;
  }
  const texts = rows.map((row) => {
    const cells = row.map(
      (value, index) => literalSql(columns[index]?.type ?? "dynamic", value).text,
    );
    return `(${cells.join(", ")})`;
  });
  const typed = columns.map(({ type }, index) => {
    return `CAST(${names[index] ?? ""} AS ${SQL_TYPES[type]}) AS ${names[index] ?? ""}`;
  });
  return `SELECT ${typed.join(", ")} FROM (VALUES ${texts.join(", ")}) AS v(${names.join(", ")})`;
}

function rangeSql(
  relation: Extract<Relation, { kind: "range" }>,
  [name = ""]: readonly string[],
  context: RelationContext,
): string {
  const text = (value: Scalar) => scalarSql(value, context).text;
  const [from, to, step] = [text(relation.from), text(relation.to), text(relation.step)];
  const type = relation.columns[0]?.type ?? "long";
  if (type !== "real") {
    const value = `CAST(i AS ${SQL_TYPES[type]}) AS ${name}`;
    return `SELECT ${value} FROM generate_series(${from}, ${to}, ${step}) AS r(i)`;
  }
  const count = `CAST(floor((${to} - ${from}) / ${step} + 1e-9) AS BIGINT)`;
  return `SELECT ${from} + i * ${step} AS ${name} FROM range(0, ${count} + 1) AS r(i)`;
}

function summarizeSql(
  relation: Summarize,
  names: readonly string[],
  context: RelationContext,
): string {
  const { keys, aggregates, input } = relation;
  const from = source(input, context);
  const values = [...keys, ...aggregates].map((value) => scalarSql(value, from.context).text);
  const group = keys.map((_key, index) => String(index + 1)).join(", ");
  const by = keys.length === 0 ? "" : ` GROUP BY ${group}`;
  return `SELECT ${renamed(values, names)} FROM ${from.text()}${by}`;
}

const JOINS: Readonly<Record<JoinKind, string>> = {
  inner: "JOIN",
  left: "LEFT JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
  semi: "SEMI JOIN",
  anti: "ANTI JOIN",
  cross: "CROSS JOIN",
};

function joinSql(relation: Join, context: RelationContext): string {
  const { joinKind, left, right, condition } = relation;
  // Rows of one side alone have no strings of the other; the language knows no null strings.
  const columns = relation.columns.map(({ id, type }) => {
    const name = columnName(id);
    return type === "string" && padded(joinKind) ? `coalesce(${name}, '') AS ${name}` : name;
  });
  const on = condition === undefined ? "" : ` ON ${conditionSql(condition, context)}`;
  return (
    `SELECT ${columns.join(", ")} FROM ${context.nameOf(left)} ${JOINS[joinKind]} ` +
    `${context.nameOf(right)}${on}`
  );
}

function padded(kind: JoinKind): boolean {
  return kind === "left" || kind === "right" || kind === "full";
}

function unionSql(
  relation: Extract<Relation, { kind: "union" }>,
  names: readonly string[],
  { nameOf }: RelationContext,
): string {
  const selects = relation.inputs.map((input) => {
    const columns = input.columns.map(
      ({ id }, index) => `${columnName(id)} AS ${names[index] ?? ""}`,
    );
    return `SELECT ${columns.join(", ")} FROM ${nameOf(input)}`;
  });
  return selects.join(" UNION ALL ");
}

/**
 * The elements of an array one by one; a bag gives its members as bags of one, anything else
 * itself. Lists that are unnested side by side are padded with NULL.
 */
function unnestSql(relation: Unnest, context: RelationContext): string {
  const { input, arrays, limit, keepsEmpty, columns } = relation;
  const inputColumns = input.columns.map(({ id }) => columnName(id));
  const made = columns.slice(input.columns.length).map(({ id }) => columnName(id));
  const lists = arrays.map((array) => {
    const json = scalarSql(array, context).text;
    return (
      `CASE WHEN starts_with(${json}, '[') ` +
      `THEN list_transform(json_extract(${json}, '$[*]'), lambda x: CAST(x AS VARCHAR)) ` +
      `WHEN starts_with(${json}, '{') THEN list_transform(json_keys(${json}), lambda k: ` +
      `'{' || CAST(to_json(k) AS VARCHAR) || ':' || CAST(json_extract(${json}, ` +
      `'$.' || CAST(to_json(k) AS VARCHAR)) AS VARCHAR) || '}') ` +
      `WHEN ${json} IS NULL THEN ${keepsEmpty ? "[NULL]" : "[]"} ELSE [${json}] END`
    );
  });
  const sized = limit === undefined ? lists : lists.map((list) => limited(list, limit, context));
  const lengths = sized.map((list) => `len(${list})`).join(", ");
  const longest = sized.length === 1 ? lengths : `greatest(${lengths})`;
  const counted = keepsEmpty ? `greatest(${longest}, 1)` : longest;
  const unnested = [
    ...sized.map((list, index) => `nullif(unnest(${list}), 'null') AS ${made[index] ?? ""}`),
    `unnest(range(${counted})) AS ${made.at(-1) ?? ""}`,
  ];
  return `SELECT ${[...inputColumns, ...unnested].join(", ")} FROM ${context.nameOf(input)}`;
}

function limited(list: string, limit: Unnest["limit"], context: RelationContext): string {
  return limit === undefined ? list : `list_slice(${list}, 1, ${scalarSql(limit, context).text})`;
}

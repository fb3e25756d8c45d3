import type {
  Computed,
  Join,
  JoinKind,
  Relation,
  Summarize,
  Unnest,
  Values,
} from "../../plan/relation.ts";
import { literalSql } from "./literals.ts";
import { columnName, conditionSql, orderBy, scalarSql, type ScalarContext } from "./scalar-sql.ts";
import { nullOf, SQL_TYPES } from "./sql.ts";

/** What relations are written with. */
export interface RelationContext extends ScalarContext {
  /** The name of the temporary table that will hold the rows made in JavaScript. */
  readonly computedName: (relation: Computed) => string;
}

/** The SELECT of one relation; its inputs are read by name. */
export function relationSql(relation: Relation, context: RelationContext): string {
  const { nameOf } = context;
  const columns = relation.columns.map(({ id }) => columnName(id));
  switch (relation.kind) {
    case "table": {
      const all = relation.stored.map((stored, index) => `${stored} AS ${columns[index] ?? ""}`);
      return `SELECT ${all.join(", ")} FROM ${relation.sqlName}`;
    }
    case "values":
      return valuesSql(relation, columns);
    case "range":
      return rangeSql(relation, columns, context);
    case "project": {
      const values = relation.values.map((value, index) => {
        return `${scalarSql(value, context).text} AS ${columns[index] ?? ""}`;
      });
      const list = values.length === 0 ? "1 AS c0" : values.join(", ");
      return `SELECT ${list}${relation.input === undefined ? "" : ` FROM ${nameOf(relation.input)}`}`;
    }
    case "filter":
      return `SELECT * FROM ${nameOf(relation.input)} WHERE ${conditionSql(relation.condition, context)}`;
    case "take":
      return (
        `SELECT * FROM ${nameOf(relation.input)}${orderBy(relation.order, context)} ` +
        `LIMIT greatest(${scalarSql(relation.count, context).text}, 0)`
      );
    case "first": {
      const keys = relation.keys.map((key) => scalarSql(key, context).text).join(", ");
      return `SELECT DISTINCT ON (${keys}) * FROM ${nameOf(relation.input)}`;
    }
    case "summarize":
      return summarizeSql(relation, columns, context);
    case "join":
      return joinSql(relation, context);
    case "union":
      return unionSql(relation, columns, nameOf);
    case "unnest":
      return unnestSql(relation, context);
    case "shared": {
      const from = relation.of.columns.map(({ id }, index) => {
        return `${columnName(id)} AS ${columns[index] ?? ""}`;
      });
      return `SELECT ${from.join(", ")} FROM ${nameOf(relation.of)}`;
    }
    case "computed": {
      // A temporary table names its columns by position.
      const all = columns.map((column, index) => `c${String(index)} AS ${column}`);
      return `SELECT ${all.join(", ")} FROM ${context.computedName(relation)}`;
    }
  }
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
  const [from, to, step] = [relation.from, relation.to, relation.step].map((one) => {
    return scalarSql(one, context).text;
  });
  const type = relation.columns[0]?.type ?? "long";
  if (type === "real") {
    const count = `CAST(floor((${to ?? ""} - ${from ?? ""}) / ${step ?? ""} + 1e-9) AS BIGINT)`;
    return `SELECT ${from ?? ""} + i * ${step ?? ""} AS ${name} FROM range(0, ${count} + 1) AS r(i)`;
  }
  const value = `CAST(i AS ${SQL_TYPES[type]}) AS ${name}`;
  return `SELECT ${value} FROM generate_series(${from ?? ""}, ${to ?? ""}, ${step ?? ""}) AS r(i)`;
}

function summarizeSql(
  relation: Summarize,
  names: readonly string[],
  context: RelationContext,
): string {
  const { keys, aggregates, input } = relation;
  const values = [...keys, ...aggregates].map((value, index) => {
    return `${scalarSql(value, context).text} AS ${names[index] ?? ""}`;
  });
  const group = keys.map((_key, index) => String(index + 1)).join(", ");
  const by = keys.length === 0 ? "" : ` GROUP BY ${group}`;
  return `SELECT ${values.join(", ")} FROM ${context.nameOf(input)}${by}`;
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
  nameOf: (relation: Relation) => string,
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

import type { KqlType } from "../../types.ts";
import { castSql } from "./functions/conversions.ts";
import { arg } from "./functions/emitter.ts";
import { double } from "./functions/operators.ts";
import { SQL_TYPES, wrapLong, type Sql } from "./sql.ts";
import { jsonOf } from "./texts.ts";

/** What an aggregate is written with: its result type, and the order of the rows that go in. */
interface Use {
  readonly type: KqlType;
  /** ` ORDER BY …`, or "". */
  readonly order: string;
}

type AggregateEmitter = (args: readonly Sql[], use: Use) => string;

/** SQL of the aggregates; those of JavaScript are `<name>_of` functions over an array. */
export const aggregates: Readonly<Record<string, AggregateEmitter>> = {
  count: () => "count(*)",
  countif: ([test]) => `count(*) FILTER (WHERE ${of(test)})`,
  count_distinct: ([value]) => `count(DISTINCT ${of(value)})`,
  count_distinctif: ([value, test]) => `count(DISTINCT ${of(value)})${filter(test)}`,
  dcount: ([value]) => `count(DISTINCT ${of(value)})`,
  dcountif: ([value, test]) => `count(DISTINCT ${of(value)})${filter(test)}`,
  sum: ([value], { type }) => sum(value, type, ""),
  sumif: ([value, test], { type }) => sum(value, type, filter(test)),
  avg: ([value], { type }) => average(value, type, ""),
  avgif: ([value, test], { type }) => average(value, type, filter(test)),
  min: ([value], { type }) => extreme("min", value, type, ""),
  max: ([value], { type }) => extreme("max", value, type, ""),
  minif: ([value, test], { type }) => extreme("min", value, type, filter(test)),
  maxif: ([value, test], { type }) => extreme("max", value, type, filter(test)),
  take_any: ([value], { type }) => first(value, type, ""),
  take_anyif: ([value, test], { type }) => first(value, type, filter(test)),
  stdev: spread("stddev_samp"),
  stdevif: spread("stddev_samp"),
  stdevp: spread("stddev_pop"),
  variance: spread("var_samp"),
  varianceif: spread("var_samp"),
  variancep: spread("var_pop"),
  variancepif: spread("var_pop"),
  covariance: covariance("covar_samp"),
  covarianceif: covariance("covar_samp"),
  covariancep: covariance("covar_pop"),
  covariancepif: covariance("covar_pop"),
  binary_all_and: ([value]) => `bit_and(${of(value)})`,
  binary_all_or: ([value]) => `bit_or(${of(value)})`,
  binary_all_xor: ([value]) => `bit_xor(${of(value)})`,
  percentile: ([value, percent], { type }) => percentile(value, percent, type),
  percentilew: (args, { type }) => weighted(args, type),
  percentilesw_array: (args) => weightedList(args),
  percentiles_array: ([value, ...percents]) => percentileList(value, percents),
  make_bag: ([value, limit], { order }) => bag(value, { limit, order }),
  make_bag_if: ([value, test, limit], { order }) => bag(value, { limit, order, test }),
  make_list: ([value, limit], { order }) => list(value, { limit, order, keepsNulls: false }),
  make_list_if: ([value, test, limit], { order }) =>
    list(value, { limit, order, test, keepsNulls: false }),
  make_list_with_nulls: ([value], { order }) => list(value, { order, keepsNulls: true }),
  make_set: ([value, limit], { order }) => set(value, { limit, order }),
  make_set_if: ([value, test, limit], { order }) => set(value, { limit, order, test }),
};

function of(value: Sql | undefined): string {
  if (value === undefined) throw new Error("An argument is missing");
  return value.text;
}

function filter(test: Sql | undefined): string {
  return test === undefined ? "" : ` FILTER (WHERE ${test.text})`;
}

// The sum of nothing is 0; sums of whole numbers wrap around.
function sum(value: Sql | undefined, type: KqlType, where: string): string {
  if (value === undefined) throw new Error("An argument is missing");
  if (type === "real") return `coalesce(sum(${double(value)})${where}, 0::DOUBLE)`;
  if (type === "decimal") return `CAST(coalesce(sum(${value.text})${where}, 0) AS DECIMAL(38,18))`;
  const number = value.type === "dynamic" ? castSql(value, "long").text : value.text;
  const total = wrapLong(`coalesce(sum(${number})${where}, 0::HUGEINT)`);
  return type === "int" ? `TRY_CAST(${total} AS INTEGER)` : total;
}

function average(value: Sql | undefined, type: KqlType, where: string): string {
  if (value === undefined) throw new Error("An argument is missing");
  const number = value.type === "dynamic" ? castSql(value, "real").text : value.text;
  const mean = `avg(${number})${where}`;
  if (type === "real") return `coalesce(${mean}, 'NaN'::DOUBLE)`;
  return `CAST(${mean} AS ${SQL_TYPES[type]})`;
}

function extreme(name: string, value: Sql | undefined, type: KqlType, where: string): string {
  const best = `${name}(${of(value)})${where}`;
  return type === "string" ? `coalesce(${best}, '')` : best;
}

function first(value: Sql | undefined, type: KqlType, where: string): string {
  const any = `any_value(${of(value)})${where}`;
  return type === "string" ? `coalesce(${any}, '')` : any;
}

// Of fewer than two values there is no spread: 0.
function spread(name: string): AggregateEmitter {
  return ([value, test]) => {
    if (value === undefined) throw new Error("An argument is missing");
    return `coalesce(${name}(${double(value)})${filter(test)}, 0::DOUBLE)`;
  };
}

function covariance(name: string): AggregateEmitter {
  return (args) => {
    const [a, b] = [double(arg(args, 0)), double(arg(args, 1))];
    return `coalesce(${name}(${a}, ${b})${filter(args[2])}, 0::DOUBLE)`;
  };
}

/** Nearest rank: a value that occurs. */
function percentile(value: Sql | undefined, percent: Sql | undefined, type: KqlType): string {
  const at = `CAST(${of(percent)} AS DOUBLE) / 100`;
  const found = `quantile_disc(${of(value)}, ${at})`;
  return type === "real" && value?.type !== "real" ? `CAST(${found} AS DOUBLE)` : found;
}

/** Each value counts as often as its weight says. */
function weighted(args: readonly Sql[], type: KqlType): string {
  const found = weightedList(args.slice(0, 3));
  const only: Sql = {
    text: `CAST(json_extract(${found}, '$[0]') AS VARCHAR)`,
    type: "dynamic",
    isNullable: true,
  };
  return castSql(only, type).text;
}

/** The percentages may be given as one array, too. */
function weightedList(args: readonly Sql[]): string {
  const [values, weights, percent] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  const lists = [values, weights].map((one) => jsonArray(listOf(one, { order: "" })));
  const percents = args.slice(2).map((one) => `CAST(${double(one)} AS VARCHAR)`);
  const at =
    percent.type === "dynamic" ? percent.text : `'[' || ${percents.join(" || ',' || ")} || ']'`;
  return `kql_percentilesw_of_0(${lists.join(", ")}, ${at})`;
}

function jsonArray(texts: string): string {
  return `('[' || coalesce(array_to_string(${texts}, ','), '') || ']')`;
}

/** The percentiles in one array; they may be given as an array, too. */
function percentileList(value: Sql | undefined, percents: readonly Sql[]): string {
  const all = percents.flatMap((one): readonly string[] => {
    const constant = one.constant?.value;
    if (one.type !== "dynamic") return [`CAST(${one.text} AS DOUBLE) / 100`];
    return Array.isArray(constant) ? constant.map((each) => `${String(each)}::DOUBLE / 100`) : [];
  });
  const type = value?.type ?? "real";
  const items = all.map((at) => {
    const found = `quantile_disc(${of(value)}, ${at})`;
    return `coalesce(${jsonOf({ text: found, type, isNullable: true })}, 'null')`;
  });
  return `('[' || ${items.join(" || ',' || ")} || ']')`;
}

// The first value of a key wins.
function bag(value: Sql | undefined, options: ListOptions): string {
  const all = jsonArray(listOf(value, { order: options.order, test: options.test }));
  const size =
    options.limit === undefined ? "NULL::BIGINT" : `CAST(${options.limit.text} AS BIGINT)`;
  return `kql_make_bag_of_0(${all}, ${size})`;
}

interface ListOptions {
  readonly order: string;
  readonly limit?: Sql | undefined;
  readonly test?: Sql | undefined;
  readonly keepsNulls?: boolean;
}

/** JSON text of all values; nulls are left out, but a dynamic null is kept. Arrays open up. */
function list(value: Sql | undefined, options: ListOptions): string {
  const values = listOf(value, options);
  if (value?.type === "dynamic") {
    const opened =
      `list_transform(list_filter(${values}, lambda x: x <> '[]'), ` +
      `lambda x: CASE WHEN starts_with(x, '[') ` +
      `THEN x[2:-2] ELSE x END)`;
    return jsonArray(opened);
  }
  return jsonArray(values);
}

/** SQL of the list of the values' JSON texts. */
export function listOf(value: Sql | undefined, options: ListOptions): string {
  if (value === undefined) throw new Error("An argument is missing");
  const { order, limit, test, keepsNulls = false } = options;
  const json = jsonOf(value);
  const isKept = keepsNulls || value.type === "dynamic" || !value.isNullable;
  const item = value.isNullable && isKept ? `coalesce(${json}, 'null')` : json;
  const where = filterOf(isKept ? [] : [`${value.text} IS NOT NULL`], test);
  const all = `list(${item}${order})${where}`;
  return limit === undefined ? all : `list_slice(${all}, 1, CAST(${limit.text} AS BIGINT))`;
}

function filterOf(tests: readonly string[], test: Sql | undefined): string {
  const all = test === undefined ? tests : [...tests, test.text];
  return all.length === 0 ? "" : ` FILTER (WHERE ${all.join(" AND ")})`;
}

// Distinct values in the order of their first appearance; nulls are left out, dynamic ones too.
function set(value: Sql | undefined, options: ListOptions): string {
  if (value === undefined) throw new Error("An argument is missing");
  const { limit, order, test } = options;
  const isFiltered = value.isNullable || test !== undefined;
  const where = isFiltered ? filterOf([`${value.text} IS NOT NULL`], test) : "";
  const values = `list(${jsonOf(value)}${order})${where}`;
  const json = `'[' || coalesce(array_to_string(${values}, ','), '') || ']'`;
  const size = limit === undefined ? "NULL::BIGINT" : `CAST(${limit.text} AS BIGINT)`;
  return `kql_make_set_of_0(${json}, ${size})`;
}

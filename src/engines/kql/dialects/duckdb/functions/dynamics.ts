import { quote, type Sql, type Within } from "../sql.ts";
import { jsonOf, textOf } from "../texts.ts";
import { arg, constantText, type EmitterTable } from "./emitter.ts";
import { double } from "./operators.ts";

export const dynamics: EmitterTable = {
  array_length: ([value]) =>
    `CASE WHEN starts_with(${text(value)}, '[') ` +
    `THEN CAST(json_array_length(${text(value)}) AS BIGINT) END`,
  arraylength: (args, type) => dynamics["array_length"]?.(args, type),
  pack_array: (args) => (args.length === 0 ? "'[]'" : jsonList(args)),
  bag_pack: (args) => bag(args),
  bag_pack_nonempty: (args) => nonEmptyBag(args),
  pack: (args) => bag(args),
  pack_dictionary: (args) => bag(args),
  array_concat: (args) => {
    const lists = args.map(({ text: one }) => `coalesce(json_extract(${one}, '$[*]'), []::JSON[])`);
    return `CAST(to_json(list_concat(${lists.join(", ")})) AS VARCHAR)`;
  },
  array_slice: (args) => slice(args),
  bag_keys: ([value]) =>
    `CASE WHEN starts_with(${text(value)}, '{') ` +
    `THEN CAST(to_json(json_keys(${text(value)})) AS VARCHAR) END`,
  bag_has_key: ([value, key]) =>
    `CASE WHEN starts_with(${text(value)}, '{') ` +
    `THEN list_contains(json_keys(${text(value)}), ${text(key)}) END`,
  strcat_array: ([value, delimiter]) =>
    `array_to_string(list_transform(json_extract(${text(value)}, '$[*]'), ` +
    `lambda x: CASE WHEN starts_with(CAST(x AS VARCHAR), '"') THEN x ->> '$' ` +
    `ELSE CAST(x AS VARCHAR) END), ${text(delimiter)})`,
  bag_pairs: ([value]) =>
    `CASE WHEN starts_with(${text(value)}, '{') THEN CAST(to_json(list_transform(` +
    `json_keys(${text(value)}), lambda k: [CAST(to_json(k) AS JSON), json_extract(` +
    `${text(value)}, '$.' || CAST(to_json(k) AS VARCHAR))])) AS VARCHAR) ELSE ${text(value)} END`,
  array_strcat: (args, type) => dynamics["strcat_array"]?.(args, type),
  range: (args) => range(args),
  repeat: ([value, count]) =>
    `CAST(to_json(list_transform(generate_series(1, CAST(${text(count)} AS BIGINT)), ` +
    `lambda x: CAST(${value === undefined ? "NULL" : jsonOf(value)} AS JSON))) AS VARCHAR)`,
};

function text(value: Sql | undefined): string {
  if (value === undefined) throw new Error("An argument is missing");
  return value.text;
}

/** JSON text of an array of values; null in it is JSON's null. */
export function jsonList(values: readonly Sql[]): string {
  const items = values.map((value) => {
    const json = jsonOf(value);
    return value.isNullable ? `coalesce(${json}, 'null')` : json;
  });
  return `('[' || ${items.join(" || ',' || ")} || ']')`;
}

function bag(args: readonly Sql[]): string {
  if (args.length === 0) return "'{}'";
  const entries: string[] = [];
  for (let index = 0; index + 1 < args.length; index += 2) {
    const [key, value] = [arg(args, index), arg(args, index + 1)];
    const json = jsonOf(value);
    const safe = value.isNullable ? `coalesce(${json}, 'null')` : json;
    entries.push(`CAST(to_json(${textOf(key)}) AS VARCHAR) || ':' || ${safe}`);
  }
  return `('{' || ${entries.join(" || ',' || ")} || '}')`;
}

/** The same without what is null or empty: `concat_ws` leaves nulls out. */
function nonEmptyBag(args: readonly Sql[]): string {
  if (args.length === 0) return "'{}'";
  const entries: string[] = [];
  for (let index = 0; index + 1 < args.length; index += 2) {
    const [key, value] = [arg(args, index), arg(args, index + 1)];
    const entry = `CAST(to_json(${textOf(key)}) AS VARCHAR) || ':' || ${jsonOf(value)}`;
    const isEmpty = value.type === "string" ? `${value.text} = ''` : `${value.text} IS NULL`;
    entries.push(`CASE WHEN ${isEmpty} THEN NULL ELSE ${entry} END`);
  }
  return `('{' || concat_ws(',', ${entries.join(", ")}) || '}')`;
}

/** A member of a bag or an element of an array; a negative index counts from the end. */
export function pathSql(value: Sql, key: Sql, once: Within["once"]): Sql {
  const step = constantStep(key);
  if (step === undefined) {
    return { text: extracted(value.text, computedStep(key)), type: "dynamic", isNullable: true };
  }
  const { root, path } = value.within ?? { root: value.text, path: "$" };
  const within = { root, path: path + step, once };
  return { text: extracted(root, quote(within.path)), type: "dynamic", isNullable: true, within };
}

function constantStep(key: Sql): string | undefined {
  const name = constantText(key);
  if (name !== undefined) return `.${JSON.stringify(name)}`;
  const index = key.constant?.value;
  if (typeof index !== "bigint" && typeof index !== "number") return undefined;
  return index < 0 ? `[#-${String(-Number(index))}]` : `[${String(index)}]`;
}

function computedStep(key: Sql): string {
  if (key.type === "string") {
    const escaped = `replace(replace(${key.text}, '\\', '\\\\'), '"', '\\"')`;
    return `'$."' || ${escaped} || '"'`;
  }
  const at = key.type === "dynamic" ? `TRY_CAST(${key.text} AS BIGINT)` : key.text;
  return `CASE WHEN ${at} < 0 THEN '$[#' || ${at} || ']' ELSE '$[' || ${at} || ']' END`;
}

function extracted(json: string, at: string): string {
  return `nullif(CAST(json_extract(${json}, ${at}) AS VARCHAR), 'null')`;
}

function slice(args: readonly Sql[]): string {
  const [value, first, last] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  const list = `json_extract(${value.text}, '$[*]')`;
  const position = (at: string) =>
    `CASE WHEN ${at} < 0 THEN len(${list}) + ${at} + 1 ELSE ${at} + 1 END`;
  return (
    `CAST(to_json(list_slice(${list}, greatest(${position(first.text)}, 1), ` +
    `${position(last.text)})) AS VARCHAR)`
  );
}

const RANGE_LENGTH_MAX = 1_048_576;

function range(args: readonly Sql[]): string | undefined {
  const [from, to, step] = [arg(args, 0), arg(args, 1), args[2]];
  if ([from, to].some(({ type }) => type === "real" || step?.type === "real")) {
    return realRange(double(from), double(to), step === undefined ? "1" : double(step));
  }
  const isTime = from.type === "datetime" || from.type === "timespan";
  const by = step === undefined ? (isTime ? HOUR : "1") : step.text;
  const series = `generate_series(CAST(${from.text} AS BIGINT), CAST(${to.text} AS BIGINT), ${by})`;
  const sliced = `list_slice(${series}, 1, ${String(RANGE_LENGTH_MAX)})`;
  if (!isTime) return `CAST(to_json(${sliced}) AS VARCHAR)`;
  const json = jsonOf({ text: "x", type: from.type, isNullable: false });
  return `('[' || array_to_string(list_transform(${sliced}, lambda x: ${json}), ',') || ']')`;
}

/** The step of a range of times, unless another is asked for. */
const HOUR = "36000000000";

function realRange(from: string, to: string, step: string): string {
  const count = `CAST(floor((${to} - ${from}) / ${step} + 1e-9) AS BIGINT)`;
  const values = `list_transform(range(0, ${count} + 1), lambda i: ${from} + i * ${step})`;
  return `CAST(to_json(list_slice(${values}, 1, ${String(RANGE_LENGTH_MAX)})) AS VARCHAR)`;
}

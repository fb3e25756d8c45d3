import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import { sqlText } from "#engines/duckdb/sql-text.ts";
import type { KqlType } from "#engines/kql/types.ts";
import { physicalColumns, type CatalogTable } from "../catalog/catalog-schema.ts";
import type { ColumnMapping } from "../catalog/mapping-text.ts";
import { insertInto, type BulkTarget } from "./bulk-text.ts";
import { IngestionError } from "./ingestion-error.ts";
import { parseJsonPath, type JsonPath } from "./json-path.ts";
import type { RowOptions } from "./records.ts";
import { sqlFromText } from "./text-sql.ts";
import { isUnixTransform, type UnixTransform } from "./transforms.ts";

const DESCRIBED = [
  { name: "name", type: "string" },
  { name: "type", type: "string" },
] as const;
const EPOCH_TICKS = "621355968000000000";
const TICKS_SQL: Readonly<Record<UnixTransform, (value: string) => string>> = {
  DateTimeFromUnixSeconds: (value) => `${value} * 10000000`,
  DateTimeFromUnixMilliseconds: (value) => `${value} * 10000`,
  DateTimeFromUnixMicroseconds: (value) => `${value} * 10`,
  DateTimeFromUnixNanoseconds: (value) => `${value} // 100`,
};

/** The statement that reads a Parquet file. */
export async function parquetSql(
  connection: DuckDbConnection,
  target: BulkTarget,
  { table, mapping, sourceName }: RowOptions,
): Promise<string> {
  const source = `read_parquet(${sqlText(target.file)})`;
  const columns = await describe(connection, source);
  const values = physicalColumns(table).map(({ name, type }) => {
    const mapped = mapping?.find(({ column }) => column === name);
    if (mapping !== undefined && mapped === undefined) return sqlFromText(type, "null::varchar");
    const constant = constantOf(mapped, sourceName);
    if (constant !== undefined) return sqlFromText(type, sqlText(constant));
    return fieldSql({ columns, name, type, table }, mapped);
  });
  const select = [sqlText(target.extent), `${target.ingested}`, ...values];
  return `${insertInto(table)} select ${select.join(", ")} from ${source}`;
}

function constantOf(mapped: ColumnMapping | undefined, sourceName: string): string | undefined {
  return mapped?.transform === "SourceLocation" ? sourceName : mapped?.constant;
}

/** The file's columns and their types in SQL. */
async function describe(
  connection: DuckDbConnection,
  source: string,
): Promise<ReadonlyMap<string, string>> {
  const sql = `select column_name, column_type from (describe select * from ${source})`;
  try {
    const rows = (await Array.fromAsync(connection.rows(sql, DESCRIBED))).flat();
    return new Map(rows.map(([name, type]) => [text(name), text(type)]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!/magic bytes|parquet/iu.test(reason)) throw error;
    throw new IngestionError("malformed", "This is not a Parquet file.");
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface Field {
  readonly columns: ReadonlyMap<string, string>;
  readonly name: string;
  readonly type: KqlType;
  readonly table: CatalogTable;
}

/** A column of the file, or what lies at a path inside of it. */
function fieldSql({ columns, name, type }: Field, mapped: ColumnMapping | undefined): string {
  const path = mapped?.path === undefined ? [name] : parseJsonPath(mapped.path);
  const [first = "", ...inside] = path;
  const fileType = columns.get(`${first}`);
  if (fileType === undefined) return sqlFromText(type, "null::varchar");
  const column = `"${`${first}`.replaceAll('"', '""')}"`;
  const transform = mapped?.transform;
  if (inside.length > 0) return nestedSql(type, column, inside);
  if (isUnixTransform(transform)) {
    const ticks = TICKS_SQL[transform](`try_cast(${column} as hugeint)`);
    return `try_cast(${ticks} + ${EPOCH_TICKS} as bigint)`;
  }
  return columnSql(type, column, fileType);
}

function nestedSql(type: KqlType, column: string, inside: JsonPath): string {
  const steps = inside.map((step) =>
    typeof step === "number" ? `[${step}]` : `."${step.replaceAll('"', '\\"')}"`,
  );
  const path = sqlText(`$${steps.join("")}`);
  if (type === "dynamic") return `json_extract(to_json(${column}), ${path})::varchar`;
  return sqlFromText(type, `json_extract_string(to_json(${column}), ${path})`);
}

/** Converts as exactly as the file's own type allows. */
function columnSql(type: KqlType, column: string, fileType: string): string {
  if (fileType === "BLOB") return sqlFromText(type, `to_base64(${column})`);
  if (type === "dynamic") {
    return fileType === "VARCHAR"
      ? sqlFromText(type, column)
      : `nullif(to_json(${column})::varchar, 'null')`;
  }
  if (type === "datetime" && TIMES.test(fileType)) return ticksSql(column, fileType);
  if (isNumber(fileType)) return numberSql(type, column, fileType);
  const isNested = /[([]/u.test(fileType) && !fileType.startsWith("DECIMAL");
  return sqlFromText(type, isNested ? `to_json(${column})::varchar` : `${column}::varchar`);
}

const TIMES = /^(?:DATE|TIMESTAMP(?:_S|_MS|_NS| WITH TIME ZONE)?)$/u;

function ticksSql(column: string, fileType: string): string {
  if (fileType === "TIMESTAMP_NS") return `epoch_ns(${column}) // 100 + ${EPOCH_TICKS}`;
  const isZoned = fileType.endsWith("ZONE");
  return `epoch_us(${isZoned ? column : `${column}::timestamp`}) * 10 + ${EPOCH_TICKS}`;
}

const NUMBERS = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL[(][0-9,]+[)])$/u;

function isNumber(fileType: string): boolean {
  return NUMBERS.test(fileType);
}

function numberSql(type: KqlType, column: string, fileType: string): string {
  const isFraction = /^(?:FLOAT|DOUBLE|DECIMAL)/u.test(fileType);
  const whole = isFraction ? `trunc(${column})` : column;
  if (type === "long") return `try_cast(${whole} as bigint)`;
  if (type === "int") return `try_cast(${whole} as integer)`;
  if (type === "real") return `cast(${column} as double)`;
  if (type === "decimal") return `try_cast(${column} as decimal(38, 18))`;
  if (type === "bool") return `${column} <> 0`;
  return sqlFromText(type, `${column}::varchar`);
}

import { requireBounded, requireValid } from "./check.ts";
import { duckDbDialect } from "./dialects/duckdb/duckdb-dialect.ts";
import type { Dialect, Statement } from "./dialects/dialect.ts";
import { KqlError } from "./kql-error.ts";
import { bind } from "./language/bind.ts";
import { createPlanCache, type PlanCache } from "./plan-cache.ts";
import type { RuntimeFunction } from "./runtime/runtime-function.ts";
import type { ConnectOptions, SqlConnection, SqlEngine } from "./sql-engine.ts";
import { OpenColumns, withColumns } from "./translate/open-columns.ts";
import { translateQuery, type Result } from "./translate/query.ts";
import type { CallerFacts, FetchExternal, Visualization } from "./translate/translation.ts";
import type { ClusterSchema, KqlColumn, KqlValue } from "./types.ts";

export interface QueryRequest {
  readonly text: string;
  readonly database: string;
  readonly schema: ClusterSchema;
  /** Values of `declare query_parameters`, as text in the language. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What `now()` is, throughout the query. */
  readonly now: Date;
  /** Who asks, for the functions about that. */
  readonly caller?: CallerFacts;
  /** Where the cluster answers. */
  readonly clusterUri?: string;
}

/** One result of a query, ready to run. */
export interface CompiledStatement {
  readonly columns: readonly KqlColumn[];
  readonly visualization: Visualization | undefined;
  readonly statement: Statement;
}

export interface CompiledQuery {
  readonly statements: readonly CompiledStatement[];
}

/** One result as it runs: rows as JSON texts of arrays, in chunks. */
export interface RunningStatement {
  readonly columns: readonly KqlColumn[];
  readonly visualization: Visualization | undefined;
  readonly rows: AsyncIterable<readonly string[]>;
}

/** The query language on an SQL engine. */
export interface Kql {
  /** Throws a `KqlError` for a text that does not parse, bind, or that is not supported. */
  readonly compile: (request: QueryRequest) => CompiledQuery;
  /** The same for queries whose columns follow from the data, which is looked at first. */
  readonly prepare: (request: QueryRequest, options: ConnectOptions) => Promise<CompiledQuery>;
  /** Runs the statements one after another; each has to be read before the next. */
  readonly execute: (
    query: CompiledQuery,
    options: ConnectOptions,
  ) => AsyncIterable<RunningStatement>;
  /** The rows of the first statement as values. */
  readonly rows: (
    query: CompiledQuery,
    options: ConnectOptions,
  ) => AsyncIterable<readonly (readonly KqlValue[])[]>;
}

export interface KqlOptions {
  readonly sql: SqlEngine;
  readonly functions: readonly RuntimeFunction[];
  /** For `externaldata`, which is refused without it. */
  readonly fetchExternal?: FetchExternal;
}

export function openKql({ sql, functions, fetchExternal }: KqlOptions): Kql {
  const dialect = duckDbDialect(functions);
  const plans = createPlanCache();
  const compileAt = (request: QueryRequest): CompiledQuery => {
    const query = plans.find(request) ?? compile(request, dialect, plans, fetchExternal);
    return at(query, request.now, dialect);
  };
  return {
    compile: compileAt,
    async prepare(request, options) {
      let { text } = request;
      for (let round = 0; round < OPEN_SCHEMAS_MAX; round++) {
        try {
          return compileAt({ ...request, text });
        } catch (error) {
          if (!(error instanceof OpenColumns)) throw error;
          const { discovery, position, columnsFrom } = error;
          const table = compiled({ table: discovery, visualization: undefined }, dialect);
          const [found] = at({ statements: [table] }, request.now, dialect).statements;
          await using connection = await sql.connect(options);
          const columns = columnsFrom(await allRows(connection, found));
          text = withColumns(text, position, columns);
        }
      }
      const most = String(OPEN_SCHEMAS_MAX);
      throw new KqlError("limit", `A query may have ${most} plugins whose columns are not named.`);
    },
    async *execute(query, options) {
      await using connection = await sql.connect(options);
      const made = new Set<string>();
      for (const { columns, visualization, statement } of query.statements) {
        await runSteps(connection, statement, made);
        yield { columns, visualization, rows: connection.texts(statement.texts) };
      }
    },
    async *rows(query, options) {
      const [first] = query.statements;
      if (first === undefined) return;
      await using connection = await sql.connect(options);
      await runSteps(connection, first.statement);
      yield* connection.rows(first.statement.rows, first.columns);
    },
  };
}

/** Plugins in one query whose columns follow from the data. */
const OPEN_SCHEMAS_MAX = 16;

async function allRows(
  connection: SqlConnection,
  found: CompiledStatement | undefined,
): Promise<(readonly KqlValue[])[]> {
  if (found === undefined) return [];
  await runSteps(connection, found.statement);
  const chunks = await Array.fromAsync(connection.rows(found.statement.rows, found.columns));
  return chunks.flat();
}

/** Fills the temporary tables of a statement; `made` are those that the connection has. */
async function runSteps(
  connection: SqlConnection,
  { steps }: Statement,
  made = new Set<string>(),
): Promise<void> {
  for (const { table, inputs, columns, compute } of steps) {
    if (made.has(table)) continue;
    made.add(table);
    const rows = compute(inputs.map((input) => connection.rows(input.sql, input.columns)));
    await connection.createTemporary(table, columns, rows);
  }
}

/** 100 ns from 0001-01-01 to 1970-01-01. */
const UNIX_EPOCH_TICKS = 621_355_968_000_000_000n;

/** The query with its moment filled in; plans are kept without one. */
function at({ statements }: CompiledQuery, now: Date, dialect: Dialect): CompiledQuery {
  const ticks = BigInt(now.getTime()) * 10_000n + UNIX_EPOCH_TICKS;
  const timed = statements.map((one) => {
    return { ...one, statement: dialect.at(one.statement, ticks) };
  });
  return { statements: timed };
}

function compile(
  request: QueryRequest,
  dialect: Dialect,
  plans: PlanCache,
  fetchExternal: FetchExternal | undefined,
): CompiledQuery {
  const { text, database, schema } = request;
  requireBounded(text);
  const bound = bind(text, schema, database);
  requireValid(bound, text);
  const { results, isPersonal } = translateQuery(bound, {
    database,
    parameters: new Map(Object.entries(request.parameters ?? {})),
    caller: request.caller,
    fetchExternal,
    clusterUri: request.clusterUri ?? "",
  });
  const query = { statements: results.map((result) => compiled(result, dialect)) };
  if (!isPersonal) plans.keep(request, query);
  return query;
}

function compiled({ table, visualization }: Result, dialect: Dialect): CompiledStatement {
  const columns = table.columns.map(({ name, type }) => ({ name, type }));
  const relation = { ...table.relation, order: table.order };
  return { columns, visualization, statement: dialect.statement(relation, table.columns) };
}

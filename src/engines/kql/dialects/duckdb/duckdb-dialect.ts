import type { Column, Computed, Relation } from "../../plan/relation.ts";
import type { RuntimeFunction } from "../../runtime/runtime-function.ts";
import type { Dialect, Statement, Step } from "../dialect.ts";
import { createFunctionTable, type FunctionTable } from "./functions/functions.ts";
import { relationSql, type RelationContext } from "./relation-sql.ts";
import { columnName, orderRowsBy } from "./scalar-sql.ts";
import { withNow } from "./sql.ts";
import { cellOf } from "./texts.ts";

/** SQL as DuckDB speaks it. */
export function duckDbDialect(runtime: readonly RuntimeFunction[]): Dialect {
  const functions = createFunctionTable(runtime);
  return {
    at(statement, now) {
      const timed = (sql: string) => withNow(sql, now);
      return {
        texts: timed(statement.texts),
        rows: timed(statement.rows),
        steps: statement.steps.map((step) => ({
          ...step,
          inputs: step.inputs.map((input) => ({ ...input, sql: timed(input.sql) })),
        })),
      };
    },
    statement(relation, columns): Statement {
      const steps = createSteps(functions);
      const cells = columns.map(({ id, type }) => {
        return cellOf({ text: columnName(id), type, isNullable: type !== "string" });
      });
      const row = `CAST(json_array(${cells.join(", ")}) AS VARCHAR)`;
      return {
        texts: steps.select(relation, [row]),
        rows: steps.select(relation, namesOf(columns)),
        steps: steps.all,
      };
    },
  };
}

function namesOf(columns: readonly Column[]): string[] {
  return columns.map(({ id }) => columnName(id));
}

interface Steps {
  readonly all: readonly Step[];
  /** A whole statement: the relation and all that it reads, each as a part of its WITH. */
  readonly select: (relation: Relation, values: readonly string[]) => string;
}

/** Collects what has to run in JavaScript first; shared by all statements of one result. */
function createSteps(functions: FunctionTable): Steps {
  const all: Step[] = [];
  const tables = new Map<Computed, string>();

  function computedName(relation: Computed): string {
    const known = tables.get(relation);
    if (known !== undefined) return known;
    const inputs = relation.inputs.map((input) => ({
      sql: select(input, namesOf(input.columns)),
      columns: input.columns,
    }));
    // After its inputs, which may need steps of their own.
    const table = `atoll_step_${String(relation.columns[0]?.id ?? 0)}`;
    tables.set(relation, table);
    const columns = relation.columns.map(({ id, type }) => ({ name: columnName(id), type }));
    all.push({ table, inputs, columns, compute: relation.compute });
    return table;
  }

  function select(relation: Relation, values: readonly string[]): string {
    const names = new Map<Relation, string>();
    const parts: string[] = [];
    const context: RelationContext = {
      functions,
      computedName,
      once: (sql) => sql,
      nameOf(one) {
        const known = names.get(one);
        if (known !== undefined) return known;
        const sql = relationSql(one, context);
        const name = `r${String(names.size)}`;
        names.set(one, name);
        const keep = one.kind === "shared" && one.isMaterialized ? " MATERIALIZED" : "";
        parts.push(`${name} AS${keep} (${sql})`);
        return name;
      },
    };
    const from = context.nameOf(relation);
    const order = orderRowsBy(relation.order, context);
    return `WITH ${parts.join(",\n")}\nSELECT ${values.join(", ")} FROM ${from}${order}`;
  }

  return { all, select };
}

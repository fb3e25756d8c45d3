import { sql, type KyselyPlugin } from "kysely";

/**
 * Makes every table that a migration creates in SQLite a strict one, which refuses text in a
 * column of whole numbers as Postgres does. Raw `create table` statements are left as they are.
 */
export const strictTables: KyselyPlugin = {
  transformQuery({ node }) {
    // A table made from a query has no column types to be strict about.
    if (node.kind !== "CreateTableNode" || node.selectQuery !== undefined) return node;
    return { ...node, endModifiers: [...(node.endModifiers ?? []), STRICT] };
  },
  transformResult: async ({ result }) => result,
};

const STRICT = sql`strict`.toOperationNode();

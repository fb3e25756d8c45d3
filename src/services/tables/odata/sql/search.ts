import { badQuery } from "../../protocol/refusals.ts";
import { joined, sql, type Sql } from "../../storage/sql.ts";
import type { Search } from "../syntax/ast.ts";
import { likeText } from "./calls.ts";
import type { TableScope } from "./scope.ts";

/** A word or a phrase is found when a column of texts contains it. */
export function compileSearch(scope: TableScope, search: Search): Sql {
  if (search.kind === "term") return compileTerm(scope, search.text);
  if (search.kind === "not") {
    const { text, values } = compileSearch(scope, search.operand);
    return sql(`((${text}) is not true)`, values);
  }
  const operands = search.operands.map((operand) => compileSearch(scope, operand));
  const { text, values } = joined(operands, ` ${search.kind} `);
  return sql(`(${text})`, values);
}

function compileTerm(scope: TableScope, term: string): Sql {
  const { table, querying } = scope;
  const texts = table.columns.filter(({ type }) => type === "String" || type === "Memo");
  if (texts.length === 0) throw badQuery(`${table.logicalName} has no texts to search in.`);
  const found = texts.map(({ logicalName }) =>
    likeText(scope.value([logicalName], 0), "contains", term, querying.dialect),
  );
  const { text, values } = joined(found, " or ");
  return sql(`(${text})`, values);
}

import { KqlError } from "../../kql-error.ts";
import { nameOf, positionOf, type SyntaxNode } from "../../language/syntax.ts";
import type { KqlColumn } from "../../types.ts";
import { OpenColumns } from "../open-columns.ts";
import type { Table } from "../translation.ts";
import type { PluginUse } from "./plugin.ts";

/** Columns that one plugin may make. */
const COLUMNS_MAX = 1_000;

/** What has to be thrown where the columns are not known: how to find them. */
export function openColumns(
  { node, call, state }: PluginUse,
  discovery: Table,
  columnsFrom: OpenColumns["columnsFrom"],
): Error {
  const name = nameOf(call);
  if (rootOf(node) !== state.root) {
    return new KqlError(
      "unsupported",
      `${name}() within a function needs its columns named: evaluate ${name}(…) : (…).`,
    );
  }
  const { start, length } = positionOf(call);
  return new OpenColumns({
    discovery,
    position: start + length,
    columnsFrom: (rows): readonly KqlColumn[] => {
      const columns = columnsFrom(rows);
      if (columns.length <= COLUMNS_MAX) return columns;
      const [found, most] = [String(columns.length), String(COLUMNS_MAX)];
      throw new KqlError("limit", `${name}() makes ${found} columns; ${most} are allowed.`);
    },
  });
}

function rootOf(node: SyntaxNode): SyntaxNode {
  let root = node;
  while (root.Parent !== null) root = root.Parent;
  return root;
}

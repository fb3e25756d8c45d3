import type { KyselyPlugin, PluginTransformQueryArgs, RootOperationNode } from "kysely";

/** Raw SQL passes: SQLite files are opened for reading only and refuse what is not a read. */
const READS: ReadonlySet<string> = new Set(["SelectQueryNode", "RawNode"]);

/**
 * Keeps `Store.db` to reading, outside of writes. A write through it would be acknowledged before
 * it is on disk. A read through it inside of a write would miss what that write has done, and wait
 * for ever where the engine has one connection.
 */
export function readingOnly(insideWrite: () => boolean): KyselyPlugin {
  function transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (insideWrite()) throw new Error("Inside a write, read through its transaction.");
    if (!READS.has(node.kind)) throw new Error("The store's db is for reading; use write.");
    return node;
  }
  return { transformQuery, transformResult: async ({ result }) => result };
}

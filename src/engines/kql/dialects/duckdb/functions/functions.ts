import { KqlError } from "../../../kql-error.ts";
import type { RuntimeFunction } from "../../../runtime/runtime-function.ts";
import type { KqlType } from "../../../types.ts";
import type { Sql } from "../sql.ts";
import { comparisons } from "./comparisons.ts";
import { conditionals } from "./conditionals.ts";
import { conversions, emptiness } from "./conversions.ts";
import { dynamics } from "./dynamics.ts";
import type { EmitterTable } from "./emitter.ts";
import { math } from "./math.ts";
import { operators } from "./operators.ts";
import { runtimeCall } from "./runtime-calls.ts";
import { strings } from "./strings.ts";
import { times } from "./times.ts";

const TABLES: EmitterTable = {
  ...operators,
  ...comparisons,
  ...conversions,
  ...emptiness,
  ...conditionals,
  ...strings,
  ...times,
  ...math,
  ...dynamics,
};

/** All functions of the dialect: SQL first, then those that run in JavaScript. */
export interface FunctionTable {
  readonly call: (name: string, args: readonly Sql[], type: KqlType) => string;
}

export function createFunctionTable(runtime: readonly RuntimeFunction[]): FunctionTable {
  const overloads = Map.groupBy(runtime, ({ name }) => name);
  return {
    call(name, args, type) {
      const emitter = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
      const sql = emitter?.(args, type) ?? runtimeCall(name, overloads.get(name) ?? [], args);
      if (sql === undefined) {
        throw new KqlError("unsupported", `The function ${name}() is not supported yet.`);
      }
      return sql;
    },
  };
}

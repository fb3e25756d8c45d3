import type { KqlType } from "../../../types.ts";
import type { Sql } from "../sql.ts";

/** Writes the SQL of a call whose arguments are written; undefined: not for these arguments. */
export type Emitter = (args: readonly Sql[], type: KqlType) => string | undefined;

export type EmitterTable = Readonly<Record<string, Emitter>>;

/** The argument at the index; the binder has checked that it is there. */
export function arg(args: readonly Sql[], index: number): Sql {
  const found = args[index];
  if (found === undefined) throw new Error(`There is no argument ${String(index)}`);
  return found;
}

/** A function of SQL with the same meaning, arguments in the same order. */
export function plain(name: string): Emitter {
  return (args) => `${name}(${args.map(({ text }) => text).join(", ")})`;
}

/** A function of reals: arguments are converted first. */
export function real(name: string): Emitter {
  return (args) => `${name}(${args.map((one) => `CAST(${one.text} AS DOUBLE)`).join(", ")})`;
}

/** The text that a literal argument holds. */
export function constantText(value: Sql | undefined): string | undefined {
  const constant = value?.constant?.value;
  return typeof constant === "string" ? constant : undefined;
}

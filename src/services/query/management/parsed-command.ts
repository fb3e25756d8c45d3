/** One named part of a command, such as `TableName`. */
export interface CommandArgument {
  readonly name: string;
  /** A name without its quotes, the content of a string literal, or the text as written. */
  readonly value: string;
  /** The steps of a path: `T.a` has two. */
  readonly path: readonly string[];
}

/** A management command, read. */
export interface ParsedCommand {
  /** As the language names it: `ShowTables`, `CreateMergeTable`. */
  readonly kind: string;
  /** The command without what is piped after it. */
  readonly text: string;
  /** Named parts in the order in which they are written. */
  readonly arguments: readonly CommandArgument[];
  /** Everything else that it says, in lower case: `async`, `ifexists`, `details`. */
  readonly words: ReadonlySet<string>;
  /** `with (name = value, …)`, names in lower case. */
  readonly properties: ReadonlyMap<string, string>;
  /** What stands behind `<|`: a query, a script or data. */
  readonly input: string | undefined;
  /** What the result is piped into, without the first bar. */
  readonly pipe: string | undefined;
}

/** The value of the only argument of this name. */
export function argument(command: ParsedCommand, name: string): string {
  const value = maybeArgument(command, name);
  if (value === undefined) throw new Error(`${command.kind} has no ${name}`);
  return value;
}

export function maybeArgument({ arguments: all }: ParsedCommand, name: string): string | undefined {
  return all.find((one) => one.name === name)?.value;
}

/** The values of all arguments of this name. */
export function argumentsNamed({ arguments: all }: ParsedCommand, name: string): string[] {
  return all.filter((one) => one.name === name).map(({ value }) => value);
}

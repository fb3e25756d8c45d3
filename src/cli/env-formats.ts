export const VARIABLE_FORMATS = ["shell", "dotenv", "powershell", "fish"] as const;
export type VariableFormat = (typeof VARIABLE_FORMATS)[number];

const WRITE: Readonly<Record<VariableFormat, (name: string, value: string) => string>> = {
  shell: (name, value) => `export ${name}=${quotePosix(value)}`,
  dotenv: (name, value) => `${name}=${quoteDotenv(value)}`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  fish: (name, value) => `set -gx ${name} '${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`,
};

/** One line per variable, quoted so that the shell takes each value as it is. */
export function formatVariables(
  format: VariableFormat,
  variables: ReadonlyMap<string, string>,
): string {
  return [...variables].map(([name, value]) => WRITE[format](name, value)).join("\n");
}

/** A word that `sh` takes literally. */
export function quotePosix(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Readers of such files know no escapes in common, only three kinds of quotes. */
function quoteDotenv(value: string): string {
  if (/^[\w./:@-]*$/.test(value)) return value;
  const quote = ["'", '"', "`"].find((mark) => !value.includes(mark));
  return quote === undefined ? value : `${quote}${value}${quote}`;
}

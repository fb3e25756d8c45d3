import { isSource, type ProjectFile } from "./project.ts";

const LINES_MAX = 300;
const COLUMNS_MAX = 100;

/** Files and lines that are longer than the ceilings. */
export function tooLong({ path, text }: ProjectFile): readonly string[] {
  if (!isSource(path)) return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const found: string[] = [];
  if (lines.length > LINES_MAX) found.push(`${path} has ${lines.length} lines`);
  for (const [index, line] of lines.entries()) {
    if (line.length > COLUMNS_MAX) found.push(`${path}:${index + 1} has ${line.length} columns`);
  }
  return found;
}

interface Rule {
  readonly pattern: RegExp;
  readonly where: (path: string) => boolean;
  readonly what: string;
}

const everywhere = () => true;
const isTest = (path: string) => path.endsWith(".test.ts");

// Brackets break up the words, so that this file does not find itself.
const RULES: readonly Rule[] = [
  {
    pattern: /\b(T[O]DO|F[I]XME|X[X]X)\b/,
    where: everywhere,
    what: "is left to do",
  },
  {
    pattern: /^export default\b|^export \{[^}]*\bas default\b/,
    where: isSource,
    what: "exports without a name",
  },
  {
    pattern:
      /\b(suite|test|describe|it)\.(only|skip|todo)\(|\.(skip|todo)\(\)|\{ (skip|todo|only):/,
    where: isTest,
    what: "leaves tests out",
  },
  {
    pattern: /registry[.]npmjs|pypi[.]org|npmmirro[r]/,
    where: everywhere,
    what: "names a package registry",
  },
  {
    pattern: /[.][.][/]shared|[/]work[/][a-z]/,
    where: everywhere,
    what: "points out of the project",
  },
];

/** Lines with words that must not be left behind. */
export function leftBehind({ path, text }: ProjectFile): readonly string[] {
  const rules = RULES.filter(({ where }) => where(path));
  return text
    .split("\n")
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what }) => `${path}:${index + 1} ${what}`),
    );
}

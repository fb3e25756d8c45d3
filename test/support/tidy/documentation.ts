import type { ProjectFile } from "./project.ts";

/** What the documentation may name, because it exists. */
export interface KnownNames {
  readonly variables: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
}

/** Variables and commands that the documentation names and that do not exist. */
export function unknownNames(
  { path, text }: ProjectFile,
  { variables, commands }: KnownNames,
): readonly string[] {
  if (!path.endsWith(".md")) return [];
  const named = [...text.matchAll(/\bATOLL_[A-Z][A-Z_]*\b/g)].map(([name]) => name);
  const typed = [...text.matchAll(/\bnpx atoll ([a-z][a-z-]*)/g)].map(([, name = ""]) => name);
  return [
    ...named.filter((name) => !variables.has(name)),
    ...typed.filter((name) => !commands.has(name)).map((name) => `npx atoll ${name}`),
  ].map((name) => `${path} names ${name}`);
}

/** Relative links whose target does not exist; `paths` are those of the whole project. */
export function deadLinks({ path, text }: ProjectFile, paths: readonly string[]): string[] {
  if (!path.endsWith(".md")) return [];
  const base = new URL(path, "file:///");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .filter((target) => {
      const wanted = decodeURIComponent(new URL(target, base).pathname.slice(1));
      return !paths.some((known) => known === wanted || known.startsWith(`${trimmed(wanted)}/`));
    })
    .map((target) => `${path} links to ${target}`);
}

function trimmed(path: string): string {
  return path.replace(/\/$/, "");
}

import { glob, readFile } from "node:fs/promises";
import { join, sep } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** A text file of the project; its path is relative to the project and has forward slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

const PATTERNS = [
  "*.{md,json,yaml,yml}",
  "{.ci,.githooks}/*",
  "{bench,bin,docs,examples,src,test}/**/*.{ts,js,json,md,yaml,yml,sql,sh}",
];
const LEFT_OUT = /(^|\/)node_modules(\/|$)|^bench\/results(\/|$)/;

/** Every text file that belongs to the project. */
export async function projectFiles(): Promise<readonly ProjectFile[]> {
  const found = glob(PATTERNS, {
    cwd: ROOT,
    exclude: (path) => LEFT_OUT.test(path.split(sep).join("/")),
  });
  const paths = await Array.fromAsync(found);
  const files = paths.toSorted().map(async (path) => ({
    path: path.split(sep).join("/"),
    text: await readFile(join(ROOT, path), "utf8"),
  }));
  return Promise.all(files);
}

/** Source code: what the ceilings and the rules of the language are for. */
export function isSource(path: string): boolean {
  return /^(bench|bin|src|test)\/.*\.(ts|js)$/.test(path);
}

import { posix } from "node:path";
import type { ProjectFile } from "./project.ts";

const SPECIFIER = /\b(?:from|import)\s*\(?\s*"([^"]+)"/g;
const RANKS: Readonly<Record<string, number>> = { platform: 0, engines: 1, services: 2, top: 3 };

interface Place {
  /** How high it stands; imports go down or stay. */
  readonly rank: number;
  /** The service, for files of one. */
  readonly service: string | undefined;
}

/** Imports that go upwards, or from one service into another. */
export function wrongImports({ path, text }: ProjectFile): readonly string[] {
  if (!/^src\/.*\.ts$/.test(path)) return [];
  const source = placeOf(path);
  const found: string[] = [];
  for (const [, specifier = ""] of text.matchAll(SPECIFIER)) {
    const target = resolved(path, specifier);
    if (target === undefined || isAllowed(path, source, target)) continue;
    found.push(`${path} imports ${specifier}`);
  }
  return found;
}

function isAllowed(path: string, source: Place, target: string): boolean {
  // Tests may use what only tests have.
  if (!target.startsWith("src/")) return path.endsWith(".test.ts") && target.startsWith("test/");
  const { rank, service } = placeOf(target);
  if (rank > source.rank) return false;
  return source.service === undefined || service === undefined || service === source.service;
}

/** The file that a specifier means; undefined for packages. */
function resolved(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return `src/${specifier.slice(1)}`;
  if (!specifier.startsWith(".")) return undefined;
  return posix.join(posix.dirname(path), specifier);
}

function placeOf(path: string): Place {
  const [, floor = "", name] = path.split("/");
  const isService = floor === "services";
  return { rank: RANKS[floor] ?? RANKS["top"] ?? 0, service: isService ? name : undefined };
}

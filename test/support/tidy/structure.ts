/** What each service must have beside what the compiler asks for. */
export function missingFiles(paths: readonly string[]): readonly string[] {
  const present = new Set(paths);
  const documented = ["src/engines", "src/platform"];
  const demanded = [
    ...foldersIn(paths, "src/services").flatMap((name) => filesOfService(name, present)),
    ...documented.flatMap((parent) =>
      foldersIn(paths, parent).map((name) => `${parent}/${name}/README.md`),
    ),
  ];
  const missing = demanded.filter((path) => !present.has(path));
  for (const name of foldersIn(paths, "src/services")) {
    const folder = `src/services/${name}/`;
    const isTested = paths.some((path) => path.startsWith(folder) && path.endsWith(".test.ts"));
    if (!isTested) missing.push(`${folder}*.test.ts`);
  }
  return missing;
}

function filesOfService(name: string, present: ReadonlySet<string>): readonly string[] {
  const folder = `src/services/${name}`;
  // What arrives is described as schemas, or, where it is headers and XML, as a protocol.
  const isOwnProtocol = [...present].some((path) => path.startsWith(`${folder}/protocol/`));
  return [
    `${folder}/index.ts`,
    `${folder}/routes.ts`,
    ...(isOwnProtocol ? [] : [`${folder}/schema.ts`]),
    `${folder}/store.ts`,
    `${folder}/README.md`,
    `docs/reference/${name}.md`,
    `src/cli/tour/${name}.ts`,
    `test/sdk/${name}.test.ts`,
  ];
}

/** Names of the folders directly below `parent`. */
function foldersIn(paths: readonly string[], parent: string): readonly string[] {
  const names = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(`${parent}/`)) continue;
    const [name = "", ...rest] = path.slice(parent.length + 1).split("/");
    if (rest.length > 0) names.add(name);
  }
  return [...names];
}

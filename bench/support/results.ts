import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Not kept in git: numbers belong to the machine that made them. */
const RESULTS = join(import.meta.dirname, "../results");

/** A folder for results and for the data of the servers, on the disk that holds Atoll. */
export async function resultsFolder(): Promise<string> {
  await mkdir(RESULTS, { recursive: true });
  return RESULTS;
}

/** Writes `bench/results/<name>-<time>.json` and returns its path. */
export async function writeResults(name: string, results: object): Promise<string> {
  const time = new Date().toISOString().replaceAll(":", "-");
  const file = join(await resultsFolder(), `${name}-${time}.json`);
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

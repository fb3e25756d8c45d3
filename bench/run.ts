import { readdir } from "node:fs/promises";

/** `npm run bench -- NAME [--quick]`: runs `bench/NAME.bench.ts`; lists the names without one. */
const SUFFIX = ".bench.ts";

interface BenchModule {
  readonly bench: () => Promise<void>;
}

const files = await readdir(import.meta.dirname);
const names = files
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .toSorted();
const wanted = process.argv.slice(2).find((argument) => !argument.startsWith("-"));

if (wanted === undefined) {
  console.log(`Benchmarks: ${names.join(", ")}. Run one with: npm run bench -- NAME`);
} else if (names.includes(wanted)) {
  const { bench } = (await import(`./${wanted}${SUFFIX}`)) as BenchModule;
  await bench();
} else {
  console.error(`Error: there is no benchmark "${wanted}". There is: ${names.join(", ")}.`);
  process.exitCode = 1;
}

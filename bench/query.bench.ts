import { loadavg } from "node:os";
import { compareWithSql } from "./query/beside-sql.ts";
import { measureCompile } from "./query/compile-time.ts";
import { createDataset } from "./query/dataset.ts";
import { measureOverHttp } from "./query/over-http.ts";
import { formatBesideSql, formatCompile, formatOverHttp } from "./query/report.ts";
import { startQueryServer } from "./query/server.ts";
import { machineKind } from "./support/process-use.ts";
import { resultsFolder, writeResults } from "./support/results.ts";

const FULL = { rows: 10_000_000, rounds: 5, forMs: 10_000, csvBytes: 1_000_000_000 };
const QUICK = { rows: 1_000_000, rounds: 3, forMs: 2000, csvBytes: 50_000_000 };

const PARTS = ["sql", "compile", "http"] as const;
type Part = (typeof PARTS)[number];

/**
 * The query engine beside hand-written SQL, the time to compile, and a real server over HTTP.
 * `--quick` is a short form, `--csv-mb N` the size of the CSV file, `--part sql|compile|http`
 * one part of it alone.
 */
export async function bench(): Promise<void> {
  const size = process.argv.includes("--quick") ? QUICK : FULL;
  const megabytes = Number(flag("--csv-mb") ?? size.csvBytes / 1_000_000);
  if (!(megabytes > 0)) throw new Error("--csv-mb takes a number of megabytes above 0.");
  const plan = { ...size, csvBytes: megabytes * 1_000_000 };
  const loadBefore = loadavg()[0] ?? 0;
  console.log(`${machineKind()}; load before: ${loadBefore.toFixed(1)}`);
  const inProcess = await measureInProcess(plan);
  const http = isWanted("http") ? await overHttp(plan) : undefined;
  if (http !== undefined) console.log(`\n${formatOverHttp(http)}`);
  const results = { machine: machineKind(), loadBefore, ...plan, ...inProcess, http };
  console.log(`\nAll numbers: ${await writeResults("query", results)}`);
}

async function measureInProcess(plan: typeof FULL) {
  if (!isWanted("sql") && !isWanted("compile")) return {};
  const rows = isWanted("sql") ? plan.rows : 1;
  await using dataset = await createDataset(await resultsFolder(), rows);
  const compile = isWanted("compile") ? measureCompile(dataset) : undefined;
  if (compile !== undefined) console.log(`\n${formatCompile(compile)}`);
  const besideSql = isWanted("sql") ? await compareWithSql(dataset, plan.rounds) : undefined;
  if (besideSql !== undefined) console.log(`\n${formatBesideSql(besideSql)}`);
  return { compile, besideSql };
}

async function overHttp(plan: typeof FULL) {
  await using server = await startQueryServer();
  return await measureOverHttp(server, plan);
}

function isWanted(part: Part): boolean {
  const wanted = flag("--part");
  if (wanted !== undefined && !PARTS.some((one) => one === wanted)) {
    throw new Error(`There is no part "${wanted}"; there are ${PARTS.join(", ")}.`);
  }
  return wanted === undefined || wanted === part;
}

function flag(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : (process.argv[at + 1] ?? "");
}

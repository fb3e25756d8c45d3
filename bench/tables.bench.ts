import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import { parseQueryString } from "#services/tables/protocol/query-string.ts";
import { parseOptions } from "#services/tables/odata/syntax/options.ts";
import { resultsFolder, writeResults } from "./support/results.ts";
import { median, percentile } from "./support/statistics.ts";
import { formatNumber, formatTable } from "./support/table.ts";
import { fillTable, type FilledTable } from "./tables/filled-table.ts";

const isQuick = process.argv.includes("--quick");
const ROWS = isQuick ? 100_000 : 1_000_000;
const RUNS = isQuick ? 20 : 100;
/** A slow query is not run more often than this allows. */
const QUERY_MS = 3000;
const PARSES = 100_000;
const NAME = "svc_opportunityresearchuserinteractions";
const SOME = 'odata.maxpagesize=50,odata.include-annotations="*"';
const MIB = 2 ** 20;

const TEXTS = [
  "$filter=statecode eq 0 and svc_topic eq 1",
  `$select=${NAME},svc_topic&$filter=contains(svc_result,'a') and svc_isdone eq true&` +
    "$orderby=createdon desc&$top=50",
  "$filter=svc_opportunity/name eq 'x' or (svc_feedback in (10001,10002) and not svc_isseen)&" +
    "$count=true",
  "$expand=svc_opportunity($select=name;$expand=createdby($select=fullname))",
  "$filter=Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=7)",
  "$apply=filter(svc_topic eq 1)/groupby((svc_feedback),aggregate($count as rows))",
];

/** Queries of the business table in a file: parsing, pages, and the memory of paging it all. */
export async function bench(): Promise<void> {
  const parsing = timeParsing();
  console.log(`parsing one query: ${parsing.toFixed(2)} µs`);
  await using folder = await mkdtempDisposable(join(await resultsFolder(), "tables-"));
  const start = performance.now();
  const table = await fillTable(join(folder.path, "tables.sqlite"), ROWS);
  console.log(`${ROWS} rows stored in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  try {
    const pages = await timePages(table);
    console.log(formatTable([["page of 50, ms", "median", "p99"], ...pages.map(textOf)]));
    const paging = await pageThrough(table);
    console.log(
      `all pages of 5,000: first ${formatNumber(paging.firstMs)} ms, ` +
        `last ${formatNumber(paging.lastMs)} ms, ` +
        `memory grew by ${formatNumber(paging.grownMib)} MiB`,
    );
    console.log(await writeResults("tables", { rows: ROWS, parsing, pages, paging }));
  } finally {
    await table.close();
  }
}

/** Microseconds for one query. */
function timeParsing(): number {
  const queries = TEXTS.map(parseQueryString);
  for (let count = 0; count < PARSES / 10; count += 1) for (const one of queries) parseOptions(one);
  const start = performance.now();
  for (let count = 0; count < PARSES / queries.length; count += 1) {
    for (const one of queries) parseOptions(one);
  }
  return ((performance.now() - start) * 1000) / PARSES;
}

interface PageTimes {
  readonly name: string;
  readonly medianMs: number;
  readonly p99Ms: number;
}

async function timePages(table: FilledTable): Promise<readonly PageTimes[]> {
  const queries: readonly (readonly [name: string, query: string])[] = [
    ["by lookup (index)", `$filter=_svc_opportunity_value eq ${table.opportunity}`],
    [
      "by lookup and choice (index)",
      `$filter=_svc_opportunity_value eq ${table.opportunity} and svc_feedback eq 10001`,
    ],
    ["by version (index)", `$filter=versionnumber gt ${ROWS / 2}&$orderby=versionnumber`],
    ["all, by id (index)", "$filter=statecode eq 0"],
    ["text that is there once", `$filter=svc_uiitemid eq 'item-${ROWS / 2}'`],
    ["text that is nowhere", "$filter=svc_uiitemid eq 'nothing'"],
    ["contains, nowhere", "$filter=contains(svc_result,'nothing')"],
    [
      "day of creation, nowhere",
      "$filter=Microsoft.Dynamics.CRM.OlderThanXYears(PropertyName='createdon',PropertyValue=5)",
    ],
    ["ordered by creation", "$orderby=createdon desc"],
    ["ordered by a text", `$orderby=${NAME} desc`],
    ["counted", "$filter=svc_topic eq 1&$count=true"],
    ["grouped", "$apply=groupby((svc_topic,svc_feedback),aggregate($count as rows))"],
  ];
  const times: PageTimes[] = [];
  for (const [name, query] of queries) {
    const runs: number[] = [];
    await table.list(query, SOME);
    const end = performance.now() + QUERY_MS;
    while (runs.length < RUNS && performance.now() < end) {
      const start = performance.now();
      await table.list(query, SOME);
      runs.push(performance.now() - start);
    }
    console.log(`  ${name}: ${formatNumber(median(runs))} ms`);
    times.push({ name, medianMs: median(runs), p99Ms: percentile(runs, 0.99) });
  }
  return times;
}

function textOf({ name, medianMs, p99Ms }: PageTimes): readonly string[] {
  return [name, formatNumber(medianMs), formatNumber(p99Ms)];
}

async function pageThrough(table: FilledTable) {
  const times: number[] = [];
  let next: string | undefined = `$select=${NAME},svc_topic`;
  let rows = 0;
  let base = 0;
  let peak = 0;
  while (next !== undefined) {
    const start = performance.now();
    const page = await table.list(next, "odata.maxpagesize=5000");
    times.push(performance.now() - start);
    rows += page.value.length;
    const used = process.memoryUsage().rss;
    // The first pages fill the caches.
    if (times.length === 5) base = used;
    peak = Math.max(peak, used);
    next = page["@odata.nextLink"]?.split("?")[1];
  }
  if (rows !== ROWS) throw new Error(`${rows} of ${ROWS} rows were on the pages.`);
  const [firstMs = 0] = times;
  return { firstMs, lastMs: times.at(-1) ?? 0, grownMib: Math.max(0, peak - base) / MIB };
}

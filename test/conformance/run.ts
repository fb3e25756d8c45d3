import { parseArgs } from "node:util";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";
import { readCases, type Case } from "./cases.ts";
import type { Cell, Table } from "./compare.ts";

/**
 * `npm run conformance -- kql DIR [--only TEXT] [--show N]`: runs the queries of a folder through
 * the wire of an instance of its own, and prints per group how many give what they should, and what
 * differs first in each that does not.
 */
const QUERY_TIMEOUT_MS = 60_000;

interface Tally {
  matched: number;
  mismatched: number;
  refused: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, show: { type: "string", default: "1000" } },
});
const [kind, folder] = positionals;
if (kind !== "kql" || folder === undefined) {
  console.error("Error: say what to run: npm run conformance -- kql DIR [--only TEXT] [--show N]");
  process.exitCode = 1;
} else {
  const cases = (await readCases(folder)).filter(({ id, group, query }) => {
    return values.only === undefined || `${id} ${group} ${query}`.includes(values.only);
  });
  const atoll = await startAtollProcess("--only", "query");
  try {
    await runCases(cases, atoll, Number(values.show));
  } finally {
    await atoll.stop();
  }
}

async function runCases(
  cases: readonly Case[],
  atoll: AtollProcess,
  shownMax: number,
): Promise<void> {
  const token = await fetchToken(atoll);
  const tallies = new Map<string, Tally>();
  let shown = 0;
  for (const one of cases) {
    const { table, refusal } = await runQuery(atoll, token, one.query);
    const difference = one.check(table);
    const tally = tallies.get(one.group) ?? { matched: 0, mismatched: 0, refused: 0 };
    tallies.set(one.group, tally);
    if (difference === undefined) tally.matched++;
    else if (refusal === undefined) tally.mismatched++;
    else tally.refused++;
    if (difference === undefined || shown++ >= shownMax) continue;
    console.log(`${one.id}\n  ${refusal ?? difference}`);
  }
  for (const [group, { matched, mismatched, refused }] of tallies) {
    const share = ((100 * matched) / (matched + mismatched + refused)).toFixed(1);
    console.log(
      `${group}: ${matched} matched (${share} %), ${mismatched} mismatched, ${refused} refused`,
    );
  }
}

async function fetchToken({ endpoints }: AtollProcess): Promise<string> {
  const { client } = endpoints.credentials;
  const response = await fetch(`${endpoints.auth_url}/${endpoints.tenant_id}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: client.client_id,
      client_secret: client.client_secret,
      scope: `${endpoints.cluster_uri}/.default`,
    }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

interface Frame {
  readonly FrameType: string;
  readonly TableKind?: string;
  readonly Columns?: readonly { readonly ColumnName: string; readonly ColumnType: string }[];
  readonly Rows?: readonly (readonly Cell[])[];
  readonly HasErrors?: boolean;
}

async function runQuery(
  { endpoints }: AtollProcess,
  token: string,
  csl: string,
): Promise<{ table: Table | undefined; refusal?: string }> {
  const response = await fetch(`${endpoints.cluster_uri}/v2/rest/query`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ db: endpoints.database, csl }),
    signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status !== 200) return { table: undefined, refusal: text.slice(0, 400) };
  const frames = JSON.parse(text) as Frame[];
  const primary = frames.find(({ TableKind }) => TableKind === "PrimaryResult");
  if (frames.at(-1)?.HasErrors === true) return { table: undefined, refusal: text.slice(-400) };
  if (primary === undefined) return { table: undefined, refusal: "no result" };
  const columns = (primary.Columns ?? []).map(({ ColumnName, ColumnType }) => {
    return { name: ColumnName, type: ColumnType };
  });
  return { table: { columns, rows: primary.Rows ?? [] } };
}

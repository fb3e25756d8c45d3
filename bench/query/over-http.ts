import { cpuOf, memoryOf, type Memory } from "../support/process-use.ts";
import { drive, measureLoad, type Load } from "./load.ts";
import { send, type QueryServer } from "./server.ts";

const POINT_ROWS = 1_000_000;
const POINT_CONNECTIONS = 4;
const KNOWN_TEXTS = 200;
const INGEST_CONNECTIONS = 8;
const INGEST_ROWS = 1000;
const HEAVY_QUERIES = 4;
const HEAVY = "Log | summarize dcount(id), percentile(v, 95) by host, verb";
const RESULT_ROWS = 500_000;
const RESULT_RUNS = 3;
const MEMORY_EVERY_MS = 20;
/** The service takes blocks of up to 4 GB; these are small enough to be held here. */
const BLOCK_BYTES = 16_000_000;

export interface OverHttpPlan {
  readonly forMs: number;
  readonly csvBytes: number;
}

export interface OverHttp {
  readonly knownPoints: Load;
  readonly newPoints: Load;
  readonly streaming: Load & { readonly rowsPerSecond: number };
  readonly csv: CsvIngestion;
  readonly besideHeavy: Load;
  readonly resultMemory: ResultMemory;
}

export async function measureOverHttp(server: QueryServer, plan: OverHttpPlan): Promise<OverHttp> {
  await server.command(
    `.set Points <| range id from 0 to ${POINT_ROWS - 1} step 1 ` +
      "| extend name = strcat('name of row number ', id), v = id * 0.5",
  );
  const points = { connections: POINT_CONNECTIONS, forMs: plan.forMs };
  const knownPoints = await measureLoad(server, { ...points, request: knownPoint });
  const newPoints = await measureLoad(server, { ...points, request: newPoint });
  const streaming = await measureStreaming(server, plan);
  const csv = await measureCsv(server, plan);
  const resultMemory = await measureMemory(server);
  const besideHeavy = await measureBesideHeavy(server, plan);
  return { knownPoints, newPoints, streaming, csv, besideHeavy, resultMemory };

  function knownPoint(index: number) {
    return server.query(pointQuery((index % KNOWN_TEXTS) * 4999));
  }
  function newPoint(index: number) {
    return server.query(`${pointQuery((index * 7919) % POINT_ROWS)} // ${index} ${plan.forMs}`);
  }
}

function pointQuery(id: number): string {
  return `Points | where id == ${id} | project name, v`;
}

async function measureStreaming(server: QueryServer, { forMs }: OverHttpPlan) {
  await server.command(`.create table Streamed ${LOG_COLUMNS}`);
  const rows = Buffer.from(logRows(INGEST_ROWS));
  const request = () => server.ingest("Streamed", rows);
  const load = await measureLoad(server, { connections: INGEST_CONNECTIONS, forMs, request });
  return { ...load, rowsPerSecond: load.perSecond * INGEST_ROWS };
}

const LOG_COLUMNS = "(t:datetime, id:long, host:string, verb:string, v:real, text:string)";
const VERBS = ["GET", "POST", "PUT", "DELETE"];
const HOSTS = 500;

/** Rows of about a hundred bytes. */
function logRows(count: number): string {
  let text = "";
  for (let id = 0; id < count; id += 1) {
    const time = new Date(Date.UTC(2024, 0, 1) + id * 10).toISOString();
    const host = `host${(id * 7919) % HOSTS}`;
    const verb = VERBS[(id * 31) % VERBS.length];
    const said = `request ${id} was answered after ${id % 97} ms`;
    text += `${time},${id},${host},${verb},${(id % 4000) / 4},${said}\n`;
  }
  return text;
}

export interface CsvIngestion {
  readonly megabytes: number;
  readonly rows: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  readonly serverCpuS: number;
  readonly peakBytes: number;
}

/** One file of equal blocks, from Atoll's own blob storage. */
async function measureCsv(server: QueryServer, { csvBytes }: OverHttpPlan): Promise<CsvIngestion> {
  const rowBytes = logRows(1000).length / 1000;
  const blockRows = Math.round(Math.min(BLOCK_BYTES, csvBytes) / rowBytes);
  const block = Buffer.from(logRows(blockRows));
  const blocks = Math.max(1, Math.round(csvBytes / block.length));
  const url = await server.putBlob("log.csv", block, blocks);
  await server.command(`.create table Log ${LOG_COLUMNS}`);
  const cpu = await cpuOf(server.pid);
  const startedAt = performance.now();
  await server.command(`.ingest into table Log ('${url}') with (format='csv')`);
  const seconds = (performance.now() - startedAt) / 1000;
  const rows = blockRows * blocks;
  return {
    megabytes: (block.length * blocks) / 1_000_000,
    rows,
    seconds,
    rowsPerSecond: rows / seconds,
    serverCpuS: (await cpuOf(server.pid)) - cpu,
    peakBytes: (await memoryOf(server.pid)).peakBytes,
  };
}

export interface ResultMemory {
  readonly beforeBytes: number;
  /** The greatest that was seen during each run. */
  readonly peakBytes: readonly number[];
  readonly resultBytes: number;
  readonly seconds: number;
}

/** The same long result several times; memory is looked at while it comes. */
async function measureMemory(server: QueryServer): Promise<ResultMemory> {
  const connection = server.connect();
  const request = server.query(`Points | take ${RESULT_ROWS}`);
  const beforeBytes = (await memoryOf(server.pid)).residentBytes;
  const peakBytes: number[] = [];
  let resultBytes = 0;
  const startedAt = performance.now();
  for (let run = 0; run < RESULT_RUNS; run += 1) {
    const seen: Promise<Memory>[] = [];
    const timer = setInterval(() => seen.push(memoryOf(server.pid)), MEMORY_EVERY_MS);
    resultBytes = await send(connection, request);
    clearInterval(timer);
    const resident = (await Promise.all(seen)).map(({ residentBytes }) => residentBytes);
    peakBytes.push(Math.max(...resident));
  }
  const seconds = (performance.now() - startedAt) / 1000 / RESULT_RUNS;
  connection.close();
  return { beforeBytes, peakBytes, resultBytes, seconds };
}

/** Small queries on one connection, while others keep the engine busy. */
async function measureBesideHeavy(server: QueryServer, { forMs }: OverHttpPlan): Promise<Load> {
  const WARM_UP_MS = forMs / 5;
  const heavy = drive(server, {
    connections: HEAVY_QUERIES,
    forMs: forMs + WARM_UP_MS,
    request: () => server.query(HEAVY),
  });
  const load = await measureLoad(server, {
    connections: 1,
    forMs,
    request: (index) => server.query(pointQuery((index % KNOWN_TEXTS) * 4999)),
  });
  await heavy;
  return load;
}

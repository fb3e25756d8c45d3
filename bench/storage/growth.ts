import { randomBytes } from "node:crypto";
import { expectStatus, openConnection } from "../support/connection.ts";
import { measureUse } from "../support/process-use.ts";
import { freePort } from "../support/spawned.ts";
import { signed } from "../support/shared-key.ts";
import { formatNumber, formatTable } from "../support/table.ts";
import { atoll, azurite } from "./kinds.ts";
import { at, block, createAppendBlobs } from "./prepare.ts";
import { startServer, type ServerKind } from "./server.ts";

/** As many as an append blob takes. */
const BLOCKS = 50_000;
const WINDOW_BLOCKS = 5000;
const BLOCK_BYTES = 4096;
const CONNECTIONS = 16;

/** What appends cost between two numbers of blocks. */
interface Window {
  readonly from: number;
  readonly perSecond: number;
  readonly serverCpuMsPerRequest: number;
}

interface Growth {
  readonly server: ServerKind["name"];
  readonly windows: readonly Window[];
}

/** Fills one append blob with 4 KiB blocks from 16 connections, once per server. */
export async function measureGrowth(folder: string): Promise<Growth[]> {
  const found: Growth[] = [];
  for (const kind of [atoll, azurite]) {
    const server = await startServer(kind, folder, await freePort());
    try {
      found.push({ server: kind.name, windows: await fill(server) });
    } finally {
      await server.stop();
    }
  }
  return found;
}

type Server = Awaited<ReturnType<typeof startServer>>;

async function fill({ origin, account, pid }: Server): Promise<Window[]> {
  const target = { origin, account, foreignUrl: "" };
  const blob = at(await createAppendBlobs(target, 1), 0);
  const request = signed(account, block(target, blob, BLOCK_BYTES));
  const body = randomBytes(BLOCK_BYTES);
  const connections = Array.from({ length: CONNECTIONS }, () => openConnection(origin));
  const windows: Window[] = [];
  for (let from = 0; from < BLOCKS; from += WINDOW_BLOCKS) {
    const finish = await measureUse(pid);
    let left = WINDOW_BLOCKS;
    await Promise.all(
      connections.map(async (connection) => {
        while (left > 0) {
          left -= 1;
          expectStatus(await connection.send(request, body), 201, "append");
        }
      }),
    );
    const { seconds, serverCpuS } = await finish();
    windows.push({
      from,
      perSecond: WINDOW_BLOCKS / seconds,
      serverCpuMsPerRequest: (serverCpuS * 1000) / WINDOW_BLOCKS,
    });
  }
  for (const connection of connections) connection.close();
  return windows;
}

/** Rates and processor time along the blob. */
export function formatGrowth(all: readonly Growth[]): string {
  const heads = all.flatMap(({ server }) => [`${server}/s`, `${server} CPU ms`]);
  const rows = (all[0]?.windows ?? []).map(({ from }, index) => {
    const blocks = `${formatNumber(from + 1)} to ${formatNumber(from + WINDOW_BLOCKS)}`;
    const cells = all.map(({ windows }) => at(windows, index));
    return [blocks].concat(
      cells.flatMap((cell) => [
        formatNumber(cell.perSecond),
        formatNumber(cell.serverCpuMsPerRequest),
      ]),
    );
  });
  const title = "One blob from the 1st to the 50,000th block (4 KiB, 16 connections, one run)";
  return `${title}\n${formatTable([["blocks", ...heads], ...rows])}`;
}

import { measureUse } from "../support/process-use.ts";
import { percentile } from "../support/statistics.ts";
import { send, type QueryServer, type SignedBody } from "./server.ts";

/** What a number of connections got out of the server. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverCpuMsPerRequest: number;
  /** Of one core: what others than server and client used. */
  readonly othersShare: number;
}

export interface LoadPlan {
  readonly connections: number;
  readonly forMs: number;
  /** The request of a number, counted over all connections. */
  readonly request: (index: number) => SignedBody;
}

/** Keeps each connection busy; a fifth of the time before is not counted. */
export async function measureLoad(server: QueryServer, plan: LoadPlan): Promise<Load> {
  const WARM_UP_PART = 5;
  await drive(server, { ...plan, forMs: plan.forMs / WARM_UP_PART });
  const end = await measureUse(server.pid);
  const latencies = await drive(server, plan);
  const { seconds, serverCpuS, othersCpuS } = await end();
  return {
    perSecond: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    serverCpuMsPerRequest: (serverCpuS * 1000) / latencies.length,
    othersShare: othersCpuS / seconds,
  };
}

/** Latencies in milliseconds. */
export async function drive(server: QueryServer, plan: LoadPlan): Promise<number[]> {
  const latencies: number[] = [];
  const deadline = performance.now() + plan.forMs;
  let begun = 0;
  const workers = Array.from({ length: plan.connections }, async () => {
    const connection = server.connect();
    while (performance.now() < deadline) {
      const request = plan.request(begun);
      begun += 1;
      const startedAt = performance.now();
      await send(connection, request);
      latencies.push(performance.now() - startedAt);
    }
    connection.close();
  });
  await Promise.all(workers);
  return latencies;
}

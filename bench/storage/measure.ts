import { expectStatus, openConnection, type Connection } from "../support/connection.ts";
import { measureUse } from "../support/process-use.ts";
import { percentile } from "../support/statistics.ts";
import type { Phase, Work } from "./phases.ts";
import type { Target } from "./prepare.ts";

export interface Duration {
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What one server did in one phase. */
export interface Measurement {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverCpuMsPerRequest: number;
  /** Of one core: 1 is a core that was busy with something else all the time. */
  readonly othersShare: number;
}

/** The server does not have this operation. */
export class NotImplementedError extends Error {
  override readonly name = "NotImplementedError";
}

const NOT_IMPLEMENTED = 501;
/** A warm-up sends at least so many requests, however slow they are. */
const WARM_UP_REQUESTS = 2;

/** Prepares, warms up and measures. Throws a `NotImplementedError` on a 501. */
export async function measure(
  phase: Phase,
  target: Target & { readonly pid: number },
  duration: Duration,
): Promise<Measurement> {
  const work = await phase.prepare(target);
  const connections = Array.from({ length: phase.connections }, () =>
    openConnection(target.origin),
  );
  try {
    const warmUpMax = Math.max(WARM_UP_REQUESTS, Math.ceil(phase.requestsMax / 4));
    await drive({ phase, work, connections }, duration.warmUpMs, warmUpMax);
    const finish = await measureUse(target.pid);
    const latencies = await drive(
      { phase, work, connections },
      duration.measureMs,
      phase.requestsMax,
    );
    const { seconds, serverCpuS, othersCpuS } = await finish();
    const requests = latencies.length;
    return {
      requests,
      seconds,
      perSecond: requests / seconds,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      serverCpuMsPerRequest: (serverCpuS * 1000) / requests,
      othersShare: othersCpuS / seconds,
    };
  } finally {
    for (const connection of connections) connection.close();
  }
}

interface Load {
  readonly phase: Phase;
  readonly work: Work;
  readonly connections: readonly Connection[];
}

/** Keeps each connection busy until time or requests are used up; returns latencies in ms. */
async function drive(load: Load, forMs: number, requestsMax: number): Promise<number[]> {
  const { phase, work, connections } = load;
  const latencies: number[] = [];
  const deadline = performance.now() + forMs;
  let begun = 0;
  await Promise.all(
    connections.map(async (connection, worker) => {
      while (begun < requestsMax && (begun < WARM_UP_REQUESTS || performance.now() < deadline)) {
        begun += 1;
        const startedAt = performance.now();
        const answer = await work(connection, worker);
        latencies.push(performance.now() - startedAt);
        if (answer.status === NOT_IMPLEMENTED) throw new NotImplementedError(phase.name);
        expectStatus(answer, phase.status, phase.name);
      }
    }),
  );
  return latencies;
}

import { setTimeout as wait } from "node:timers/promises";
import { measureUse, memoryOf } from "../support/process-use.ts";
import { freePort } from "../support/spawned.ts";
import { groupCommitRate } from "./disk.ts";
import { atoll, azurite, bare } from "./kinds.ts";
import { measure, NotImplementedError, type Duration, type Measurement } from "./measure.ts";
import type { Phase } from "./phases.ts";
import { startServer, type RunningServer, type ServerKind } from "./server.ts";

/** A round in which others used more of a core than this is thrown away, and repeated. */
const OTHERS_MAX = 0.15;
const REPEATS_MAX = 3;
const QUIET_LIMIT_MS = 15_000;
const QUIET_WINDOW_MS = 500;

/** One server over all rounds of a phase. */
export interface Series {
  readonly server: ServerKind["name"];
  readonly startMs: number;
  readonly idleBytes: number;
  readonly afterBytes: number;
  readonly peakBytes: number;
  /** One per round, or the reason why there are none. */
  readonly rounds: readonly Measurement[] | "501";
}

export interface Comparison {
  readonly phase: Phase;
  readonly series: readonly Series[];
  /** Blocks per second that the disk takes from as many writers, for appends. */
  readonly disk: number | undefined;
  /** Rounds thrown away because of what else ran on the machine. */
  readonly repeated: number;
  /** Rounds kept though others ran, because the repetitions were used up. */
  readonly disturbed: number;
}

export interface Plan {
  readonly rounds: number;
  readonly duration: Duration;
  /** Folder on the disk to measure. */
  readonly folder: string;
  readonly foreignUrl: string;
  /** Others run on the machine all the time: neither wait for quiet nor repeat a round. */
  readonly isBusy: boolean;
}

/** Runs a phase on new servers: round by round, all servers in turn, the first one changing. */
export async function compare(phase: Phase, plan: Plan): Promise<Comparison> {
  const kinds = phase.withBare ? [atoll, azurite, bare] : [atoll, azurite];
  const servers: RunningServer[] = [];
  try {
    for (const kind of kinds) {
      // A server that starts has the machine for itself.
      servers.push(await startServer(kind, plan.folder, await freePort()));
      servers.at(-1)?.pause();
    }
    const disk = phase.withBare ? await groupCommitRate(plan.folder, phase.connections) : undefined;
    return { ...(await playRounds(phase, plan, servers)), disk };
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function playRounds(
  phase: Phase,
  plan: Plan,
  servers: readonly RunningServer[],
): Promise<Omit<Comparison, "disk">> {
  const rounds: Round[] = [];
  let repeated = 0;
  let disturbed = 0;
  while (rounds.length < plan.rounds) {
    const order = rounds.length % 2 === 0 ? servers : servers.toReversed();
    const tries: Round[] = [];
    let best: Round;
    do {
      tries.push(await playRound(phase, plan, order));
      best = tries.toSorted((a, b) => othersIn(a) - othersIn(b))[0] ?? new Map();
    } while (!plan.isBusy && othersIn(best) > OTHERS_MAX && tries.length <= REPEATS_MAX);
    repeated += tries.length - 1;
    if (othersIn(best) > OTHERS_MAX) disturbed += 1;
    rounds.push(best);
  }
  const series: Series[] = [];
  for (const server of servers) series.push(await seriesOf(server, rounds));
  return { phase, series, repeated, disturbed };
}

/** What each server did; a server that lacks the operation is missing. */
type Round = ReadonlyMap<ServerKind["name"], Measurement>;

async function playRound(
  phase: Phase,
  { duration, foreignUrl, isBusy }: Plan,
  servers: readonly RunningServer[],
): Promise<Round> {
  const round = new Map<ServerKind["name"], Measurement>();
  for (const server of servers) {
    server.resume();
    try {
      if (!isBusy) await quietMachine(server.pid);
      round.set(server.name, await measure(phase, { ...server, foreignUrl }, duration));
    } catch (error) {
      if (!(error instanceof NotImplementedError)) throw error;
    } finally {
      server.pause();
    }
  }
  return round;
}

function othersIn(round: Round): number {
  return Math.max(...[...round.values()].map(({ othersShare }) => othersShare));
}

async function seriesOf(server: RunningServer, rounds: readonly Round[]): Promise<Series> {
  const measured = rounds.flatMap((round) => round.get(server.name) ?? []);
  const { residentBytes, peakBytes } = await memoryOf(server.pid);
  return {
    server: server.name,
    startMs: server.startMs,
    idleBytes: server.idle.residentBytes,
    afterBytes: residentBytes,
    peakBytes,
    rounds: measured.length === 0 ? "501" : measured,
  };
}

/** Waits, but not for ever, until nothing else on the machine is busy. */
async function quietMachine(pid: number): Promise<void> {
  const deadline = performance.now() + QUIET_LIMIT_MS;
  while (performance.now() < deadline) {
    const finish = await measureUse(pid);
    await wait(QUIET_WINDOW_MS);
    const { othersCpuS, seconds } = await finish();
    if (othersCpuS / seconds <= OTHERS_MAX) return;
  }
}

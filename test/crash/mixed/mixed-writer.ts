import {
  expectStatus,
  openConnection,
  type Connection,
} from "../../../bench/support/connection.ts";
import { signed } from "../../../bench/support/shared-key.ts";
import type { Violation } from "../ledger.ts";
import type { Server } from "../server.ts";
import { CONTAINER } from "../store-client.ts";
import { isServerGone } from "../writers.ts";
import { anyChange, type Attempt } from "./changes.ts";
import { anyPageChange } from "./page-changes.ts";
import { findState } from "./find-state.ts";
import { differences, NOTHING, oneOf, type BlobState, type FoundState } from "./state.ts";

const BLOCK_BLOBS = 3;

/** A blob that is changed in every way there is, one request at a time. */
export interface Kept {
  readonly blob: string;
  acknowledged: BlobState;
  /** Sent and not answered: it took place or it did not. */
  pending: Attempt | undefined;
}

/** Changes a few blobs of its own, and knows what each must be. */
export interface MixedWriter {
  /** Goes on until the server is gone. `acknowledged` is called after each change. */
  readonly write: (server: Server, acknowledged: () => void) => Promise<void>;
  /** Every blob has to be what was acknowledged, or what the last request makes of that. */
  readonly check: (server: Server) => Promise<Violation[]>;
}

export function createMixedWriter(name: string): MixedWriter {
  const open = (blob: string): Kept => ({ blob, acknowledged: NOTHING, pending: undefined });
  const numbers = Array.from({ length: BLOCK_BLOBS }, (_, number) => number);
  const blocks = numbers.map((number) => open(`mixed-${name}-${number}.bin`));
  const pages = open(`mixed-${name}.disk`);
  const all = [...blocks, pages];

  async function writeOn(connection: Connection, server: Server, done: () => void): Promise<never> {
    for (;;) {
      const kept = oneOf(all);
      const source = oneOf(blocks.filter((other) => other !== kept));
      const url = `${server.origin}${pathOf(server, source.blob)}`;
      kept.pending =
        kept === pages
          ? anyPageChange(kept.acknowledged)
          : anyChange(kept.acknowledged, { url, state: source.acknowledged });
      await send(connection, server, kept.blob, kept.pending);
      kept.acknowledged = kept.pending.after;
      kept.pending = undefined;
      done();
    }
  }

  return {
    write: (server, acknowledged) =>
      withConnection(server, async (connection) => {
        try {
          await writeOn(connection, server, acknowledged);
        } catch (error) {
          if (!isServerGone(error)) throw error;
        }
      }),
    check: (server) =>
      withConnection(server, async (connection) => {
        const violations: Violation[] = [];
        for (const kept of all) {
          const ask = { connection, account: server.account, path: pathOf(server, kept.blob) };
          const violation = settle(kept, await findState(ask));
          if (violation !== undefined) violations.push(violation);
        }
        return violations;
      }),
  };
}

/** What was found becomes what is acknowledged, or is a violation. */
export function settle(kept: Kept, found: FoundState): Violation | undefined {
  const { blob, acknowledged, pending } = kept;
  const lost = differences(found, acknowledged);
  if (pending !== undefined && differences(found, pending.after).length === 0) {
    kept.acknowledged = pending.after;
    kept.pending = undefined;
    return undefined;
  }
  kept.pending = undefined;
  if (lost.length === 0) return undefined;
  const half = pending === undefined ? [] : differences(found, pending.after);
  const text =
    `${blob} is not what was acknowledged (${lost.join(", ")}), nor what ` +
    `${pending?.name ?? "nothing else"} would make of it (${half.join(", ")}).`;
  return { kind: pending === undefined ? "lost" : "half", text };
}

async function send(
  connection: Connection,
  { account, ...server }: Server,
  blob: string,
  { name, method, query, headers, body, status }: Attempt,
): Promise<void> {
  const path = `${pathOf({ account, ...server }, blob)}${query}`;
  const request = signed(account, { method, path, headers });
  expectStatus(await connection.send(request, body), status, `${name} of ${blob}`);
}

function pathOf({ account }: Server, blob: string): string {
  return `/${account.name}/${CONTAINER}/${blob}`;
}

async function withConnection<Result>(
  { origin }: Server,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection(origin);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}

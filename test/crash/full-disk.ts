import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempDisposable, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openConnection, type Answer } from "../../bench/support/connection.ts";
import { signed, type BlobRequest } from "../../bench/support/shared-key.ts";
import { anyChange, type Attempt } from "./mixed/changes.ts";
import { anyPageChange } from "./mixed/page-changes.ts";
import { findState } from "./mixed/find-state.ts";
import { differences, NOTHING, oneOf, type BlobState } from "./mixed/state.ts";
import { startServer, type Server } from "./server.ts";
import { CONTAINER } from "./store-client.ts";

/**
 * `npm run full-disk`: fills a real, small disk with blobs until nothing more fits. Whatever is
 * refused must be a 503 and have changed nothing; reads go on; once there is space again, writes
 * do. Mounting a disk takes root, on Linux.
 */
const DISK_BYTES = 32 * 2 ** 20;
const BALLAST_BYTES = 12 * 2 ** 20;
const BLOBS = 200;
/** Each with blobs of its own, so that it knows what they are. */
const WRITERS = 6;
const PAGES_EVERY = 5;
const PAGES_SUFFIX = ".disk";
/** So many changes without any content have to be refused: the tables are full as well. */
const REFUSALS = 20;
/** Changes that write to the tables alone. */
const WITHOUT_CONTENT = /Metadata|Tags|Lease|Delete|List/;
const CHANGES_MAX = 20_000;
const CHANGES_AFTERWARDS = 100;

const run = promisify(execFile);

interface Kept {
  readonly blob: string;
  state: BlobState;
}

async function main(): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    console.error("Error: mounting a small disk takes root on Linux. Run it there, as root.");
    process.exitCode = 1;
    return;
  }
  await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-full-"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder.path]);
  try {
    await fill(folder.path);
    await startReadOnly(folder.path);
  } finally {
    await run("umount", [folder.path]);
  }
}

async function fill(disk: string): Promise<void> {
  const ballast = join(disk, "ballast");
  await writeFile(ballast, Buffer.alloc(BALLAST_BYTES));
  const all: Kept[] = Array.from({ length: BLOBS }, (_, at) => ({
    blob: `blob-${at}${at % PAGES_EVERY === 0 ? PAGES_SUFFIX : ""}`,
    state: NOTHING,
  }));
  let server = await startServer(join(disk, "data"));
  try {
    await createContainer(server);
    const filling = await change(server, all, { refusals: REFUSALS });
    console.log(`${filling.accepted} changes fitted, ${filling.refused} without content did not`);
    await check(server, all);
    await rm(ballast);
    const after = await change(server, all, { refusals: 1, accepted: CHANGES_AFTERWARDS });
    assert.equal(after.refused, 0);
    await check(server, all);
    await server.kill();
    server = await startServer(join(disk, "data"));
    await check(server, all);
    console.log("space came back, writes went on, and nothing was lost or half written");
  } finally {
    await server.stop();
  }
}

interface Until {
  readonly refusals: number;
  readonly accepted?: number;
}

/** Changes blobs at random, some at a time, until so many were accepted, or refused. */
async function change(server: Server, all: readonly Kept[], until: Until) {
  const count = { accepted: 0, refused: 0 };
  const isOver = () =>
    count.accepted >= (until.accepted ?? CHANGES_MAX) || count.refused >= until.refusals;

  async function changeSome(some: readonly Kept[]): Promise<void> {
    const connection = openConnection(server.origin);
    while (!isOver()) {
      const kept = oneOf(some);
      const attempt = isPages(kept)
        ? anyPageChange(kept.state)
        : anyBlockChange(server, some, kept);
      const { method, query, headers, body } = attempt;
      const request = { method, path: pathOf(server, kept.blob) + query, headers };
      const answer = await connection.send(signed(server.account, request), body);
      if (answer.status === attempt.status) {
        kept.state = attempt.after;
        count.accepted += 1;
      } else {
        assert.deepEqual(refusalOf(answer), [503, "ServerBusy"], attempt.name);
        if (WITHOUT_CONTENT.test(attempt.name)) count.refused += 1;
      }
    }
    connection.close();
  }
  const shares = Array.from({ length: WRITERS }, (_, share) =>
    all.filter((_kept, at) => at % WRITERS === share),
  );
  await Promise.all(shares.map(changeSome));
  return count;
}

/** Blobs whose names say so are page blobs for as long as they live. */
function isPages({ blob }: Kept): boolean {
  return blob.endsWith(PAGES_SUFFIX);
}

function anyBlockChange(server: Server, all: readonly Kept[], { blob, state }: Kept): Attempt {
  const source = oneOf(all.filter((other) => other.blob !== blob && !isPages(other)));
  const url = `${server.origin}${pathOf(server, source.blob)}`;
  return anyChange(state, { url, state: source.state });
}

function refusalOf({ status, headers }: Answer) {
  return [status, headers["x-ms-error-code"]];
}

async function check(server: Server, all: readonly Kept[]): Promise<void> {
  const connection = openConnection(server.origin);
  for (const { blob, state } of all) {
    const path = pathOf(server, blob);
    const found = await findState({ connection, account: server.account, path });
    assert.deepEqual([blob, differences(found, state)], [blob, []]);
  }
  connection.close();
}

async function createContainer({ origin, account }: Server): Promise<void> {
  const connection = openConnection(origin);
  const path = `/${account.name}/${CONTAINER}?restype=container`;
  const request: BlobRequest = { method: "PUT", path, headers: { "content-length": "0" } };
  assert.equal((await connection.send(signed(account, request))).status, 201);
  connection.close();
}

function pathOf({ account }: Server, blob: string): string {
  return `/${account.name}/${CONTAINER}/${blob}`;
}

/** A disk that takes nothing at all keeps Atoll from starting, in a sentence. */
async function startReadOnly(disk: string): Promise<void> {
  await run("mount", ["-o", "remount,ro", disk]);
  const failed = await startServer(join(disk, "data")).then(
    () => "",
    (error: unknown) => String(error),
  );
  assert.match(failed, /it may not be written to \(EROFS\)/);
  console.log("a read-only disk is refused at the start");
}

await main();

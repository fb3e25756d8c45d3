import { run } from "./program.ts";
import { processTerminal } from "./terminal.ts";

// Whoever reads the answer may stop early (`atoll env | head -1`); that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const exitCode = await run(process.argv.slice(2), processTerminal());
if (exitCode !== 0) process.exitCode = exitCode;

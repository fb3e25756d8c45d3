import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const INSTALL_TIMEOUT_MS = 300_000;

/** Without these, Chromium calls home at every start, which a closed network refuses slowly. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A real browser. Where there is none it is installed from the system's packages. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = (await installed()) ?? (await install());
  return chromium.launch({ executablePath, args: QUIET });
}

async function installed(): Promise<string | undefined> {
  for (const path of CANDIDATES) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

async function install(): Promise<string> {
  process.stderr.write("The tests need Chromium; installing Debian's package chromium…\n");
  const run = promisify(execFile);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, timeout: INSTALL_TIMEOUT_MS };
  try {
    await run("apt-get", ["update"], options);
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options);
  } catch (cause) {
    throw new Error("Install Chromium for this test; apt-get could not.", { cause });
  }
  const path = await installed();
  if (path === undefined) throw new Error("Chromium is not where its package should put it.");
  return path;
}

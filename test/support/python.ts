import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache");
const INSTALL_TIMEOUT_MS = 300_000;

const run = promisify(execFile);

/**
 * A Python that has the packages of a requirements file, with their exact versions. It is made
 * once per content of the file, below `node_modules`.
 */
export async function pythonWith(requirements: string): Promise<string> {
  const content = await readFile(requirements);
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const folder = join(CACHE, `python-${digest}`);
  if (!existsSync(folder)) await makeEnvironment(folder, requirements);
  return join(folder, "bin", "python");
}

/** Under another name first: one that was cut short would pass for a whole one. */
async function makeEnvironment(folder: string, requirements: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const fresh = `${folder}-${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await makeEmpty(fresh);
  const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"];
  const timeout = INSTALL_TIMEOUT_MS;
  await run(join(fresh, "bin", "python"), [...pip, "-r", requirements], { timeout });
  await rename(fresh, folder);
}

async function makeEmpty(folder: string): Promise<void> {
  const make = () => run("python3", ["-m", "venv", folder], { timeout: INSTALL_TIMEOUT_MS });
  try {
    await make();
  } catch {
    // Debian keeps what this takes in packages of their own.
    await installPython();
    await rm(folder, { recursive: true, force: true });
    await make();
  }
}

async function installPython(): Promise<void> {
  process.stderr.write("The tests need Python; installing Debian's package python3-venv…\n");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, timeout: INSTALL_TIMEOUT_MS };
  try {
    await run("apt-get", ["update"], options);
    await run("apt-get", ["install", "-y", "--no-install-recommends", "python3-venv"], options);
  } catch (cause) {
    throw new Error("Install Python 3 with venv for this test; apt-get could not.", { cause });
  }
}

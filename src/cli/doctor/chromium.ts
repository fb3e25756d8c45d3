import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { CheckContext, Finding } from "./finding.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const APPLICATIONS = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** A browser, which only tests of pages use. */
export async function checkChromium({ variables }: CheckContext): Promise<Finding> {
  const what = { name: "Chromium", neededFor: "tests of pages" };
  const folders = (variables["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const file of [...candidates, ...APPLICATIONS]) {
    if (await isExecutable(file)) return { ...what, state: "ok", detail: file };
  }
  const remedy = "apt-get install chromium, brew install --cask google-chrome, or the like.";
  return { ...what, state: "optional", detail: "not in PATH", remedy };
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

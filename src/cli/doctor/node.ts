import type { Finding } from "./finding.ts";

const MAJOR_NEEDED = 26;

/** The launcher picks the pinned Node; this fails where somebody has gone around it. */
export async function checkNode(): Promise<Finding> {
  const { node } = process.versions;
  const isEnough = Number.parseInt(node, 10) >= MAJOR_NEEDED;
  return {
    name: `Node ${MAJOR_NEEDED}`,
    state: isEnough ? "ok" : "missing",
    neededFor: "everything",
    detail: `${node} at ${process.execPath}`,
    ...(!isEnough && { remedy: "Run npm ci (without --omit=optional) and start with npx atoll." }),
  };
}

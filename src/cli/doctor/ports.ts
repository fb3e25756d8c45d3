import { createServer } from "node:net";
import { findInstance, type Instance } from "../instance.ts";
import type { CheckContext, Finding } from "./finding.ts";

interface Listener {
  readonly name: string;
  readonly flag: string;
  readonly port: number;
}

/** Each port that `up` would bind to is free, or in use by the running Atoll itself. */
export async function checkPorts(context: CheckContext): Promise<readonly Finding[]> {
  const { ConfigurationError, loadSettings } = await import("#platform/config/load.ts");
  try {
    const { variables } = context;
    const settings = await loadSettings({ flags: {}, file: undefined, variables });
    const { host } = settings;
    const own = ownPorts(await findInstance(context.data));
    const listeners: Listener[] = [
      { name: "gateway", flag: "--port", port: settings.port },
      { name: "query", flag: "--query-port", port: settings.query_port },
      { name: "ingest", flag: "--ingest-port", port: settings.ingest_port },
      { name: "blob", flag: "--blob-port", port: settings.blob_port },
    ];
    return await Promise.all(listeners.map((listener) => checkPort(host, listener, own)));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const remedy = "Correct the setting; docs/reference/configuration.md lists all of them.";
    return [{ name: "settings", state: "missing", neededFor: "up", detail: error.message, remedy }];
  }
}

async function checkPort(
  host: string,
  { name, flag, port }: Listener,
  own: ReadonlySet<string>,
): Promise<Finding> {
  const what = { name: `port ${port}`, neededFor: `${name} listener` };
  const code = await bindError(host, port);
  if (code === undefined) return { ...what, state: "ok", detail: `free on ${host}` };
  if (code === "EADDRINUSE" && own.has(String(port))) {
    return { ...what, state: "ok", detail: "used by the running Atoll" };
  }
  const remedy = `Stop what listens there, or choose another port with ${flag} (0: any free one).`;
  return { ...what, state: "missing", detail: `not free on ${host} (${code})`, remedy };
}

/** The code of the error with which the port refuses a listener, if it does. */
async function bindError(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    return await new Promise<string | undefined>((resolve) => {
      server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
      server.listen({ host, port, exclusive: true }, () => resolve(undefined));
    });
  } finally {
    server.close();
  }
}

function ownPorts(instance: Instance | undefined): ReadonlySet<string> {
  if (instance?.state !== "running") return new Set();
  const {
    gateway,
    cluster_uri: query,
    ingestion_uri: ingest,
    account_url: blob,
  } = instance.endpoints;
  return new Set([gateway, query, ingest, blob].map((url) => new URL(url).port));
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Settings } from "../config/settings.ts";
import type { Environment } from "../environment.ts";
import { createOutboundFetch, type OutboundFetch } from "../fetch/outbound-fetch.ts";
import { recoverOrphans } from "../processes/orphans.ts";
import { createRequestLog, type RequestLog } from "../requests/request-log.ts";
import { openSealer, type Sealer } from "../seal.ts";
import { openDataFolder, type DataFolder } from "../store/data-folder.ts";
import type { StoreLocation } from "../store/store.ts";
import { createLog } from "../telemetry/log.ts";
import { openTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { createListeners, isLocalOnly, type Listeners } from "./listeners.ts";

/** What every service stands on, opened once for the process. */
export interface House {
  readonly settings: Settings;
  readonly version: string;
  readonly environment: Environment;
  readonly data: DataFolder;
  readonly log: FastifyBaseLogger;
  readonly telemetry: Telemetry;
  readonly requests: RequestLog;
  readonly sealer: Sealer;
  readonly outbound: OutboundFetch;
  readonly listeners: Listeners;
  /** Every listener is reachable from this machine only. */
  readonly isLoopback: boolean;
  /** The certificate that clients have to trust, when TLS is on. */
  readonly caFile: string | undefined;
  readonly location: (service: string) => StoreLocation;
  readonly close: () => Promise<void>;
}

export async function openHouse(
  settings: Settings,
  environment: Environment,
  version: string,
): Promise<House> {
  const data = await openData(settings);
  const log = createLog(settings.log_level);
  const requests = createRequestLog(environment);
  const [sealer, telemetry, tls] = await Promise.all([
    openSealer(data.dir),
    openTelemetry({ otlpEndpoint: settings.otlp_endpoint || undefined, version }),
    openTls(settings, data, environment),
    recoverOrphans(join(data.dir, "run")),
  ]);
  const loopback = isLocalOnly(settings);
  return {
    settings,
    version,
    environment,
    data,
    log,
    telemetry,
    requests,
    sealer,
    outbound: createOutboundFetch({
      allowedHosts: settings.outbound_allowed_hosts,
      allowLoopback: loopback,
    }),
    listeners: createListeners(settings, { tls, environment, log, requests, telemetry }),
    isLoopback: loopback,
    caFile: tls?.caFile,
    location: (service) => locationOf(service, settings, data),
    async close() {
      await telemetry.close();
      await data.close();
      if (settings.ephemeral) await rm(data.dir, { recursive: true, force: true });
    },
  };
}

async function openData(settings: Settings): Promise<DataFolder> {
  if (!settings.ephemeral) return openDataFolder(resolve(settings.data));
  return openDataFolder(await mkdtemp(join(tmpdir(), "atoll-")));
}

async function openTls(settings: Settings, data: DataFolder, { now }: Environment) {
  if (!settings.tls) return undefined;
  const { openLocalAuthority } = await import("../tls/local-authority.ts");
  const hosts = [settings.host, settings.public_host].filter((host) => host !== "");
  return openLocalAuthority({ dir: await data.serviceDir("tls"), hosts, now });
}

/** Where the tables of a service are kept. */
export function locationOf(
  service: string,
  settings: Settings,
  data: Pick<DataFolder, "dir">,
): StoreLocation {
  if (settings.postgres_url !== "") {
    return { kind: "postgres", url: settings.postgres_url, schema: `atoll_${service}` };
  }
  return { kind: "sqlite", file: join(data.dir, service, `${service}.sqlite`) };
}

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { replaceFile } from "../durable-file.ts";

/** `endpoints.json`: where a running Atoll answers, and its development credentials. */
export const Endpoints = Type.Object({
  version: Type.Literal(1),
  pid: Type.Integer(),
  data: Type.String(),
  gateway: Type.String(),
  console: Type.String(),
  auth_url: Type.String(),
  authorization_base_url: Type.String(),
  inference_endpoint: Type.String(),
  jobs_base_url: Type.String(),
  management_base_url: Type.String(),
  tables_base_url: Type.String(),
  search_endpoint: Type.String(),
  cluster_uri: Type.String(),
  ingestion_uri: Type.String(),
  /** The database that queries without one mean. */
  database: Type.String(),
  account_url: Type.String(),
  tenant_id: Type.String(),
  subscription_id: Type.String(),
  resource_group: Type.String(),
  /** Certificate of the local authority, when Atoll serves TLS. */
  ca_file: Type.Optional(Type.String()),
  credentials: Type.Object({
    admin: Type.Object({ username: Type.String(), password: Type.String() }),
    client: Type.Object({ client_id: Type.String(), client_secret: Type.String() }),
    inference_api_key: Type.String(),
    storage_account: Type.String(),
    storage_key: Type.String(),
  }),
});
export type Endpoints = Static<typeof Endpoints>;

const SECRET_MODE = 0o600;

/** Of the running instance; present only from `ready` to a clean stop. */
export function endpointsFile(data: string): string {
  return join(data, "endpoints.json");
}

/** The same of the last instance, kept for `atoll env` after a stop. */
function lastEndpointsFile(data: string): string {
  return join(data, "last-endpoints.json");
}

export async function writeEndpoints(data: string, endpoints: Endpoints): Promise<void> {
  const content = `${JSON.stringify(endpoints, null, 2)}\n`;
  for (const path of [lastEndpointsFile(data), endpointsFile(data)]) {
    await replaceFile({ path, content, mode: SECRET_MODE });
  }
}

export async function removeEndpoints(data: string): Promise<void> {
  await rm(endpointsFile(data), { force: true });
}

/** Of the running instance or else of the last one; undefined when there was never one. */
export async function readEndpoints(data: string): Promise<Endpoints | undefined> {
  return (await readJson(endpointsFile(data))) ?? (await readJson(lastEndpointsFile(data)));
}

async function readJson(file: string): Promise<Endpoints | undefined> {
  try {
    return Value.Parse(Endpoints, JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

import { startAtollProcess } from "../../test/support/atoll-process.ts";
import { expectStatus, openConnection, type Connection } from "../support/connection.ts";
import { signed, type BlobRequest } from "../support/shared-key.ts";

const OK = 200;
const CREATED = 201;
const CONTAINER = "bench";
const BLOCK_ID_DIGITS = 6;

/** `atoll up` in a process of its own, with what the measurements do to it. */
export interface QueryServer extends AsyncDisposable {
  readonly pid: number;
  readonly connect: () => Connection;
  readonly query: (csl: string) => SignedBody;
  readonly command: (csl: string) => Promise<void>;
  readonly ingest: (table: string, rows: Buffer) => SignedBody;
  /** Puts a blob of so many equal blocks and returns the URL from which anybody can read it. */
  readonly putBlob: (name: string, block: Buffer, blocks: number) => Promise<string>;
}

export interface SignedBody {
  readonly request: BlobRequest;
  readonly body: Buffer;
}

/** Sends it and expects success; the answer is dropped. */
export async function send(connection: Connection, { request, body }: SignedBody): Promise<number> {
  return expectStatus(await connection.measure(request, body), OK, request.path).length;
}

export async function startQueryServer(): Promise<QueryServer> {
  const flags = ["--only", "query,storage", "--outbound-allowed-hosts", "127.0.0.1"];
  const { endpoints, stop } = await startAtollProcess(...flags);
  const { cluster_uri: cluster, account_url: accountUrl, credentials } = endpoints;
  const authorization = `Bearer ${await fetchToken(endpoints)}`;
  const account = { name: credentials.storage_account, key: credentials.storage_key };

  function post(path: string, type: string, body: Buffer): SignedBody {
    const headers = {
      authorization,
      "content-type": type,
      "content-length": String(body.length),
    };
    return { request: { method: "POST", path, headers }, body };
  }
  const postJson = (path: string, csl: string) => {
    const body = JSON.stringify({ db: endpoints.database, csl });
    return post(path, "application/json", Buffer.from(body));
  };

  return {
    pid: endpoints.pid,
    connect: () => openConnection(cluster),
    query: (csl) => postJson("/v2/rest/query", csl),
    ingest: (table, rows) =>
      post(`/v1/rest/ingest/${endpoints.database}/${table}?streamFormat=csv`, "text/csv", rows),
    async command(csl) {
      const connection = openConnection(cluster);
      const { request, body } = postJson("/v1/rest/mgmt", csl);
      const answer = await connection.send(request, body);
      connection.close();
      expectStatus(answer, OK, csl);
    },
    async putBlob(name, block, blocks) {
      const { origin, pathname } = new URL(accountUrl);
      const container = `${pathname.replace(/\/$/, "")}/${CONTAINER}`;
      const connection = openConnection(origin);
      const put = async (path: string, body: Buffer, more = {}) => {
        const headers = { "content-length": String(body.length), ...more };
        const request = signed(account, { method: "PUT", path, headers });
        expectStatus(await connection.send(request, body), CREATED, path);
      };
      await put(`${container}?restype=container`, Buffer.alloc(0), {
        "x-ms-blob-public-access": "blob",
      });
      const ids = Array.from({ length: blocks }, (_, index) => blockId(index));
      for (const id of ids) {
        await put(`${container}/${name}?comp=block&blockid=${encodeURIComponent(id)}`, block);
      }
      const list = ids.map((id) => `<Latest>${id}</Latest>`).join("");
      const document = Buffer.from(`<BlockList>${list}</BlockList>`);
      await put(`${container}/${name}?comp=blocklist`, document);
      connection.close();
      return `${origin}${container}/${name}`;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

function blockId(index: number): string {
  return Buffer.from(String(index).padStart(BLOCK_ID_DIGITS, "0")).toString("base64");
}

type Endpoints = Awaited<ReturnType<typeof startAtollProcess>>["endpoints"];

async function fetchToken({ auth_url, tenant_id, credentials, cluster_uri }: Endpoints) {
  const { client_id, client_secret } = credentials.client;
  const scope = `${cluster_uri}/.default`;
  const answer = await fetch(`${auth_url}/${tenant_id}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id,
      client_secret,
      scope,
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}

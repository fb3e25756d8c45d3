import assert from "node:assert/strict";
import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import {
  endpointsFile,
  readEndpoints,
  removeEndpoints,
  writeEndpoints,
  type Endpoints,
} from "./endpoints.ts";

const url = "http://127.0.0.1:8080";

const endpoints: Endpoints = {
  version: 1,
  pid: 7,
  data: "/data",
  gateway: url,
  console: `${url}/console/`,
  auth_url: url,
  authorization_base_url: url,
  inference_endpoint: url,
  jobs_base_url: url,
  management_base_url: url,
  tables_base_url: url,
  search_endpoint: url,
  cluster_uri: url,
  ingestion_uri: url,
  database: "NetDefaultDB",
  account_url: `${url}/devstoreaccount1`,
  tenant_id: "t",
  subscription_id: "s",
  resource_group: "local",
  credentials: {
    admin: { username: "admin", password: "p" },
    client: { client_id: "c", client_secret: "s" },
    inference_api_key: "k",
    storage_account: "devstoreaccount1",
    storage_key: "k",
  },
};

suite("endpoints.json", () => {
  test("is there from ready to a clean stop, for its owner only", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-endpoints-"));
    const data = folder.path;
    assert.equal(await readEndpoints(data), undefined);
    await writeEndpoints(data, endpoints);
    assert.equal((await stat(endpointsFile(data))).mode & 0o777, 0o600);
    await removeEndpoints(data);
    await assert.rejects(stat(endpointsFile(data)), { code: "ENOENT" });
  });

  test("is remembered of the last instance", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-endpoints-"));
    const data = folder.path;
    await writeEndpoints(data, endpoints);
    await writeEndpoints(data, { ...endpoints, pid: 8 });
    await removeEndpoints(data);
    assert.deepEqual(await readEndpoints(data), { ...endpoints, pid: 8 });
  });
});

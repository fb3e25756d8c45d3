import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { startAtollProcess, type AtollProcess } from "./support/atoll-process.ts";

/** Not this machine's name, so that Atoll takes itself for one that others can reach. */
const PUBLIC_HOST = "atoll.example";

suite("Atoll that other machines can reach", () => {
  let atoll: AtollProcess;
  before(async () => {
    atoll = await startAtollProcess("--public-host", PUBLIC_HOST);
  });
  after(() => atoll.stop());

  /** Where it listens all the same. */
  const here = (url: string) => url.replace(PUBLIC_HOST, "127.0.0.1");

  async function token({ auth_url, gateway, credentials }: Endpoints): Promise<string> {
    const form = { grant_type: "client_credentials", ...credentials.client, resource: gateway };
    const url = here(`${auth_url}/common/oauth2/token`);
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
    const { access_token } = (await answer.json()) as { access_token: string };
    return access_token;
  }

  /** Whether the container was not there yet. */
  async function makeLogs(key: string): Promise<boolean> {
    const { account_url, credentials } = atoll.endpoints;
    const credential = new StorageSharedKeyCredential(credentials.storage_account, key);
    const service = new BlobServiceClient(here(account_url), credential);
    return (await service.getContainerClient("logs").createIfNotExists()).succeeded;
  }

  test("has an account with random keys, and tells the one that is valid", async () => {
    const { endpoints } = atoll;
    const { storage_account: account, storage_key: first } = endpoints.credentials;
    assert.equal(account, "atollaccount1");
    assert.equal(await makeLogs(first), true);

    const { subscription_id, resource_group, management_base_url } = endpoints;
    const path =
      `/subscriptions/${subscription_id}/resourceGroups/${resource_group}/providers/Svc.Storage` +
      `/storageAccounts/${account}/regenerateKey?api-version=2025-01-01`;
    const answer = await fetch(here(management_base_url) + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await token(endpoints)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ keyName: "key1" }),
    });
    const { keys } = (await answer.json()) as { keys: { value: string }[] };
    const file = await readFile(join(endpoints.data, "endpoints.json"), "utf8");
    const { credentials } = JSON.parse(file) as Endpoints;
    assert.equal(credentials.storage_key, keys[0]?.value);
    assert.notEqual(credentials.storage_key, first);
    assert.equal(await makeLogs(credentials.storage_key), false);
    await assert.rejects(makeLogs(first), { statusCode: 403, code: "AuthenticationFailed" });
  });
});

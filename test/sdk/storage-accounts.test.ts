import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import { StorageManagementClient } from "@azure/arm-storage";
import { ClientSecretCredential } from "@azure/identity";
import {
  BlobSASPermissions,
  BlobServiceClient,
  ContainerClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";

const GROUP = "local";
const PARAMETERS = {
  location: "local",
  kind: "StorageV2" as const,
  sku: { name: "Standard_LRS" as const },
};

suite("storage accounts, through @azure/arm-storage", () => {
  let atoll: AtollProcess;
  let client: StorageManagementClient;
  let credential: ClientSecretCredential;
  let ca = "";
  let blobs = "";

  before(async () => {
    atoll = await startAtollProcess("--tls");
    const { gateway, tenant_id, subscription_id, credentials, ca_file } = atoll.endpoints;
    const { client_id, client_secret } = credentials.client;
    ca = await readFile(ca_file ?? "", "utf8");
    const tlsOptions = { ca };
    const identity = { authorityHost: gateway, disableInstanceDiscovery: true, tlsOptions };
    credential = new ClientSecretCredential(tenant_id, client_id, client_secret, identity);
    client = new StorageManagementClient(credential, subscription_id, {
      endpoint: gateway,
      credentials: { scopes: [`${gateway}/.default`] },
      tlsOptions,
      retryOptions: { maxRetries: 0 },
    });
    blobs = new URL(atoll.endpoints.account_url).origin;
  });

  after(() => atoll.stop());

  async function keysOf(account: string): Promise<readonly string[]> {
    const { keys = [] } = await client.storageAccounts.listKeys(GROUP, account);
    return keys.map(({ value }) => value ?? "");
  }
  function container(account: string, key: string): ContainerClient {
    const sharedKey = new StorageSharedKeyCredential(account, key);
    const options = { tlsOptions: { ca }, retryOptions: { maxTries: 1 } };
    const service = new BlobServiceClient(`${blobs}/${account}`, sharedKey, options);
    return service.getContainerClient("logs");
  }

  test("makes, finds, lists and deletes accounts", async () => {
    const free = await client.storageAccounts.checkNameAvailability({
      name: "made1",
      type: "Microsoft.Storage/storageAccounts",
    });
    assert.equal(free.nameAvailable, true);
    const tags = { team: "a" };
    const made = await client.storageAccounts.create(GROUP, "made1", { ...PARAMETERS, tags });
    assert.deepEqual(
      [made.name, made.type, made.kind, made.sku?.name, made.tags, made.provisioningState],
      [
        "made1",
        "Microsoft.Storage/storageAccounts",
        "StorageV2",
        "Standard_LRS",
        tags,
        "Succeeded",
      ],
    );
    assert.equal(made.primaryEndpoints?.blob, `${blobs}/made1/`);
    assert.deepEqual(await client.storageAccounts.getProperties(GROUP, "made1"), made);
    const listed = await Array.fromAsync(client.storageAccounts.list());
    const ofGroup = await Array.fromAsync(client.storageAccounts.listByResourceGroup(GROUP));
    const { storage_account: development } = atoll.endpoints.credentials;
    for (const found of [listed, ofGroup]) {
      assert.deepEqual(
        found.map(({ name }) => name),
        [development, "made1"],
      );
    }
    const other = { team: "b" };
    const updated = await client.storageAccounts.update(GROUP, "made1", { tags: other });
    assert.deepEqual(updated, { ...made, tags: other });
    await client.storageAccounts.delete(GROUP, "made1");
    await client.storageAccounts.delete(GROUP, "made1");
    const gone = client.storageAccounts.getProperties(GROUP, "made1");
    await assert.rejects(gone, { statusCode: 404, code: "ResourceNotFound" });
  });

  test("replaces a key, and signatures by the old one are refused at once", async () => {
    await client.storageAccounts.create(GROUP, "keyed1", PARAMETERS);
    const [first = "", second = ""] = await keysOf("keyed1");
    const logs = container("keyed1", first);
    await logs.create();
    const blob = logs.getBlockBlobClient("a.txt");
    await blob.upload("hello", 5);
    const sas = (key: string) => {
      const expiresOn = new Date(Date.now() + 3_600_000);
      const permissions = BlobSASPermissions.parse("r");
      const values = { containerName: "logs", blobName: "a.txt", permissions, expiresOn };
      const signer = new StorageSharedKeyCredential("keyed1", key);
      return `${blob.url}?${generateBlobSASQueryParameters(values, signer).toString()}`;
    };
    const read = async (url: string) => {
      const options = { tlsOptions: { ca }, retryOptions: { maxTries: 1 } };
      const logsBySas = new ContainerClient(url.replace("/a.txt", ""), undefined, options);
      return (await logsBySas.getBlobClient("a.txt").downloadToBuffer()).toString();
    };
    const bySecond = container("keyed1", second);
    assert.deepEqual(
      [await read(sas(first)), await read(sas(second)), await bySecond.exists()],
      ["hello", "hello", true],
    );

    const { keys = [] } = await client.storageAccounts.regenerateKey(GROUP, "keyed1", {
      keyName: "key1",
    });
    const [fresh = "", same] = keys.map(({ value }) => value ?? "");
    assert.deepEqual([fresh === first, same], [false, second]);
    const refused = { statusCode: 403, code: "AuthenticationFailed" };
    await assert.rejects(logs.setMetadata({}), refused);
    await assert.rejects(read(sas(first)), { statusCode: 403 });
    assert.deepEqual([await read(sas(fresh)), await read(sas(second))], ["hello", "hello"]);
    assert.equal(await container("keyed1", fresh).exists(), true);
  });

  test("ends user delegation keys, which the account's keys have no part in", async () => {
    await client.storageAccounts.create(GROUP, "delegating1", PARAMETERS);
    const [first = ""] = await keysOf("delegating1");
    const logs = container("delegating1", first);
    await logs.create();
    await logs.getBlockBlobClient("a.txt").upload("hello", 5);
    const options = { tlsOptions: { ca }, retryOptions: { maxTries: 1 } };
    const service = new BlobServiceClient(`${blobs}/delegating1`, credential, options);
    const startsOn = new Date();
    const expiresOn = new Date(Date.now() + 3_600_000);
    const key = await service.getUserDelegationKey(startsOn, expiresOn);
    const permissions = BlobSASPermissions.parse("r");
    const values = { containerName: "logs", blobName: "a.txt", permissions, expiresOn };
    const sas = generateBlobSASQueryParameters(values, key, "delegating1").toString();
    const anybody = new ContainerClient(`${logs.url}?${sas}`, undefined, options);
    const read = async () => (await anybody.getBlobClient("a.txt").downloadToBuffer()).toString();
    assert.equal(await read(), "hello");
    await client.storageAccounts.regenerateKey(GROUP, "delegating1", { keyName: "key1" });
    assert.equal(await read(), "hello");
    await client.storageAccounts.revokeUserDelegationKeys(GROUP, "delegating1");
    await assert.rejects(read(), { statusCode: 403 });
  });
});

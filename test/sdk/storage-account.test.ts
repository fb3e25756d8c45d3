import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  AnonymousCredential,
  BlobSASPermissions,
  BlobServiceClient,
  ContainerClient,
  generateBlobSASQueryParameters,
  RestError,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import {
  ACCOUNT,
  KEYS,
  startStorage,
  TOKENS,
  type TestStorage,
} from "#services/storage/storage.fixture.ts";

const CREDENTIAL = new StorageSharedKeyCredential(ACCOUNT, KEYS[0].toString("base64"));
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

suite("listing, access rules and the account, through @azure/storage-blob", () => {
  let storage: TestStorage;
  let url = "";
  let service: BlobServiceClient;
  let container: ContainerClient;

  before(async () => {
    storage = await startStorage({
      decide: ({ objectId }, { action }) => {
        return (
          objectId === "reader" && /(?:\/read|generateUserDelegationKey\/action)$/.test(action)
        );
      },
    });
    url = `${await storage.app.listen({ host: "127.0.0.1", port: 0 })}/${ACCOUNT}`;
    service = new BlobServiceClient(url, CREDENTIAL);
    container = service.getContainerClient("logs");
    await container.create({ metadata: { owner: "me" } });
    for (const name of ["2025/a b.log", "2025/b.log", "2026/ä&<.log", "top.log"]) {
      await container.getBlockBlobClient(name).upload("content", 7, { metadata: { kind: "log" } });
    }
  });
  after(() => storage.stop());

  test("lists blobs by pages, flat and by hierarchy", async () => {
    const flat: unknown[] = [];
    const pages = container.listBlobsFlat({ includeMetadata: true }).byPage({ maxPageSize: 3 });
    for await (const { segment } of pages) {
      flat.push(segment.blobItems.map(({ name, metadata }) => [name, metadata?.["kind"]]));
    }
    assert.deepEqual(flat, [
      [
        ["2025/a b.log", "log"],
        ["2025/b.log", "log"],
        ["2026/ä&<.log", "log"],
      ],
      [["top.log", "log"]],
    ]);
    const tree: unknown[] = [];
    for await (const item of container.listBlobsByHierarchy("/")) {
      tree.push([item.kind, item.name]);
    }
    assert.deepEqual(tree, [
      ["prefix", "2025/"],
      ["prefix", "2026/"],
      ["blob", "top.log"],
    ]);
    const [first] = await Array.fromAsync(container.listBlobsFlat({ prefix: "top" }));
    const { contentLength, blobType, accessTier, etag } = first?.properties ?? {};
    assert.deepEqual([contentLength, blobType, accessTier], [7, "BlockBlob", "Hot"]);
    const { etag: quoted } = await container.getBlobClient("top.log").getProperties();
    assert.equal(`"${etag}"`, quoted);
  });

  test("lists containers with their metadata", async () => {
    const found = await Array.fromAsync(service.listContainers({ includeMetadata: true }));
    assert.deepEqual(
      found.map(({ name, metadata }) => [name, metadata]),
      [["logs", { owner: "me" }]],
    );
  });

  test("keeps access policies that signatures refer to", async () => {
    const accessPolicy = { startsOn: inHours(-1), expiresOn: inHours(1), permissions: "r" };
    await container.setAccessPolicy("blob", [{ id: "reader", accessPolicy }]);
    const { blobPublicAccess, signedIdentifiers } = await container.getAccessPolicy();
    assert.deepEqual(
      [blobPublicAccess, signedIdentifiers],
      ["blob", [{ id: "reader", accessPolicy }]],
    );
    const anonymous = new ContainerClient(`${url}/logs`, new AnonymousCredential());
    const blob = anonymous.getBlobClient("top.log");
    assert.equal((await blob.downloadToBuffer()).toString(), "content");
    await container.setAccessPolicy(undefined, [{ id: "reader", accessPolicy }]);
    await assert.rejects(blob.getProperties(), isRefusal(401));
    const sas = generateBlobSASQueryParameters(
      { containerName: "logs", blobName: "top.log", identifier: "reader" },
      CREDENTIAL,
    );
    const signed = new ContainerClient(`${url}/logs?${sas.toString()}`).getBlobClient("top.log");
    assert.equal((await signed.getProperties()).contentLength, 7);
    await container.setAccessPolicy();
    await assert.rejects(signed.getProperties(), isRefusal(403));
  });

  test("signs with a user delegation key what its owner may read", async () => {
    const token = TOKENS["reader"] ?? "";
    const headers = {
      authorization: `Bearer ${token}`,
      "x-ms-version": "2026-06-06",
      "content-type": "application/xml",
    };
    const time = (hours: number) =>
      inHours(hours)
        .toISOString()
        .replace(/\.\d+Z/, "Z");
    const answer = await fetch(`${url}/?restype=service&comp=userdelegationkey`, {
      method: "POST",
      headers,
      body: `<KeyInfo><Start>${time(-1)}</Start><Expiry>${time(2)}</Expiry></KeyInfo>`,
    });
    const text = await answer.text();
    const of = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)?.[1] ?? "";
    const key = {
      signedObjectId: of("SignedOid"),
      signedTenantId: of("SignedTid"),
      signedStartsOn: new Date(of("SignedStart")),
      signedExpiresOn: new Date(of("SignedExpiry")),
      signedService: of("SignedService"),
      signedVersion: of("SignedVersion"),
      value: of("Value"),
    };
    const sign = (permissions: string) => {
      const values = {
        containerName: "logs",
        blobName: "top.log",
        permissions: BlobSASPermissions.parse(permissions),
        expiresOn: inHours(1),
      };
      return generateBlobSASQueryParameters(values, key, ACCOUNT).toString();
    };
    const reading = new ContainerClient(`${url}/logs?${sign("r")}`).getBlobClient("top.log");
    assert.equal((await reading.downloadToBuffer()).toString(), "content");
    const deleting = new ContainerClient(`${url}/logs?${sign("d")}`).getBlobClient("top.log");
    await assert.rejects(deleting.delete(), isRefusal(403));
  });

  test("sets the properties of the service, and tells what the account is", async () => {
    const rule = {
      allowedOrigins: "https://shop.test",
      allowedMethods: "GET",
      allowedHeaders: "x-ms-meta-*",
      exposedHeaders: "x-ms-meta-*",
      maxAgeInSeconds: 60,
    };
    await service.setProperties({ cors: [rule], defaultServiceVersion: "2022-11-02" });
    const { cors, defaultServiceVersion, hourMetrics } = await service.getProperties();
    assert.deepEqual([cors, defaultServiceVersion], [[rule], "2022-11-02"]);
    assert.equal(hourMetrics?.enabled, false);
    const { skuName, accountKind } = await service.getAccountInfo();
    assert.deepEqual([skuName, accountKind], ["Standard_RAGRS", "StorageV2"]);
    assert.equal((await container.getAccountInfo()).accountKind, "StorageV2");
    const secondary = new BlobServiceClient(`${url}-secondary`, CREDENTIAL);
    assert.equal((await secondary.getStatistics()).geoReplication?.status, "live");
  });
});

function isRefusal(statusCode: number) {
  return (error: unknown) => {
    assert.ok(error instanceof RestError);
    assert.equal(error.statusCode, statusCode);
    return true;
  };
}

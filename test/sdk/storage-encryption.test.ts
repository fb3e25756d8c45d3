import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { after, before, suite, test } from "node:test";
import { StorageManagementClient } from "@azure/arm-storage";
import { ClientSecretCredential } from "@azure/identity";
import {
  AccountSASPermissions,
  BlobSASPermissions,
  BlobServiceClient,
  BlockBlobClient,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
  type BlobClient,
  type ContainerClient,
  type CpkInfo,
} from "@azure/storage-blob";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";

const GROUP = "local";
const MIB = 2 ** 20;
const IN_AN_HOUR = new Date(Date.now() + 3_600_000);

function newKey(): CpkInfo {
  const key = randomBytes(32);
  return {
    encryptionKey: key.toString("base64"),
    encryptionKeySha256: createHash("sha256").update(key).digest("base64"),
    encryptionAlgorithm: "AES256",
  };
}

const refused = (statusCode: number, code: string) => ({ statusCode, code });
const NEEDS_KEY = refused(409, "BlobUsesCustomerSpecifiedEncryption");
const MISMATCH = refused(409, "BlobCustomerSpecifiedEncryptionMismatch");

suite("encryption, through @azure/storage-blob and @azure/arm-storage", () => {
  let atoll: AtollProcess;
  let management: StorageManagementClient;
  let service: BlobServiceClient;
  let container: ContainerClient;
  let shared: StorageSharedKeyCredential;
  let account = "";
  let options = {};

  before(async () => {
    atoll = await startAtollProcess("--tls");
    const { gateway, tenant_id, subscription_id, credentials, ca_file } = atoll.endpoints;
    const tlsOptions = { ca: await readFile(ca_file ?? "", "utf8") };
    const { client_id, client_secret } = credentials.client;
    const identity = { authorityHost: gateway, disableInstanceDiscovery: true, tlsOptions };
    const client = new ClientSecretCredential(tenant_id, client_id, client_secret, identity);
    management = new StorageManagementClient(client, subscription_id, {
      endpoint: gateway,
      credentials: { scopes: [`${gateway}/.default`] },
      tlsOptions,
      retryOptions: { maxRetries: 0 },
    });
    account = credentials.storage_account;
    shared = new StorageSharedKeyCredential(account, credentials.storage_key);
    options = { tlsOptions, retryOptions: { maxTries: 1 } };
    service = new BlobServiceClient(atoll.endpoints.account_url, shared, options);
    container = service.getContainerClient("secrets");
    await container.create();
  });

  after(() => atoll.stop());

  /** The URL of a blob with a signature. */
  function signed(blob: BlobClient, encryptionScope?: string): string {
    const permissions = BlobSASPermissions.parse("rcw");
    const { containerName, name: blobName } = blob;
    const values = { containerName, blobName, permissions, expiresOn: IN_AN_HOUR };
    const scope = encryptionScope === undefined ? {} : { encryptionScope };
    const sas = generateBlobSASQueryParameters({ ...values, ...scope }, shared);
    return `${blob.url}?${sas.toString()}`;
  }

  test("appends under a key, also from a URL, and reads with it", async () => {
    const [customerProvidedKey, other] = [newKey(), newKey()];
    const log = container.getAppendBlobClient("day.log");
    const created = await log.create({ customerProvidedKey });
    assert.deepEqual(
      [created.isServerEncrypted, created.encryptionKeySha256],
      [true, customerProvidedKey.encryptionKeySha256],
    );
    await log.appendBlock("one ", 4, { customerProvidedKey });
    await assert.rejects(log.appendBlock("x", 1), NEEDS_KEY);
    await assert.rejects(log.appendBlock("x", 1, { customerProvidedKey: other }), MISMATCH);

    const plain = container.getBlockBlobClient("plain");
    await plain.upload("two ", 4);
    await log.appendBlockFromURL(signed(plain), 0, 4, { customerProvidedKey });
    const keyed = container.getBlockBlobClient("keyed");
    await keyed.upload("three", 5, { customerProvidedKey: other });
    await assert.rejects(
      log.appendBlockFromURL(signed(keyed), 0, 5, { customerProvidedKey }),
      refused(409, "CannotVerifyCopySource"),
    );
    const appended = await log.appendBlockFromURL(signed(keyed), 0, 5, {
      customerProvidedKey,
      sourceCustomerProvidedKey: other,
    });
    assert.deepEqual([appended.blobAppendOffset, appended.isServerEncrypted], ["8", true]);

    const whole = await log.downloadToBuffer(0, undefined, { customerProvidedKey });
    assert.equal(whole.toString(), "one two three");
    const part = await log.downloadToBuffer(4, 5, { customerProvidedKey });
    assert.equal(part.toString(), "two t");
    await assert.rejects(log.downloadToBuffer(), { statusCode: 409 });
    const properties = await log.getProperties({ customerProvidedKey });
    assert.deepEqual(
      [properties.isServerEncrypted, properties.encryptionKeySha256, properties.contentLength],
      [true, customerProvidedKey.encryptionKeySha256, 13],
    );
    // Clients take the refusal of a HEAD for a blob that is there.
    assert.equal(await log.exists(), true);
  });

  test("uploads blocks, pages and whole blobs under a key", async () => {
    const customerProvidedKey = newKey();
    const bytes = randomBytes(3 * MIB + 1);
    const blob = container.getBlockBlobClient("blocks");
    const source = Readable.from([bytes], { objectMode: false });
    await blob.uploadStream(source, MIB / 4, 4, { customerProvidedKey });
    const read = await blob.downloadToBuffer(0, undefined, { customerProvidedKey });
    assert.ok(bytes.equals(read));
    await blob.setMetadata({ seen: "yes" }, { customerProvidedKey });
    const { snapshot = "" } = await blob.createSnapshot({ customerProvidedKey });
    await assert.rejects(blob.setMetadata({}), NEEDS_KEY);
    await assert.rejects(blob.createSnapshot(), NEEDS_KEY);
    const kept = blob.withSnapshot(snapshot);
    assert.deepEqual(
      (await kept.getProperties({ customerProvidedKey })).metadata, //
      { seen: "yes" },
    );
    const pages = container.getPageBlobClient("pages");
    await pages.create(1024, { customerProvidedKey });
    await pages.uploadPages(Buffer.alloc(512, "p"), 512, 512, { customerProvidedKey });
    const disk = await pages.downloadToBuffer(0, undefined, { customerProvidedKey });
    assert.equal(disk.toString(), "\0".repeat(512) + "p".repeat(512));
    await assert.rejects(pages.uploadPages(Buffer.alloc(512), 0, 512), NEEDS_KEY);

    const copy = container.getBlockBlobClient("copied");
    await copy.syncUploadFromURL(signed(blob), {
      customerProvidedKey: newKey(),
      sourceCustomerProvidedKey: customerProvidedKey,
    });
    await assert.rejects(copy.downloadToBuffer(), { statusCode: 409 });
    await copy.setAccessTier("Cool");
    await copy.delete();

    const names = await Array.fromAsync(container.listBlobsFlat({ prefix: "blocks" }));
    assert.deepEqual(
      names.map(({ properties }) => properties.customerProvidedKeySha256),
      [customerProvidedKey.encryptionKeySha256],
    );
  });

  test("makes scopes, encrypts by them and disables them", async () => {
    const { encryptionScopes } = management;
    const source = "Microsoft.Storage";
    const made = await encryptionScopes.put(GROUP, account, "projects", { source });
    assert.deepEqual(
      [made.name, made.type, made.source, made.state],
      ["projects", "Microsoft.Storage/storageAccounts/encryptionScopes", source, "Enabled"],
    );
    assert.deepEqual(await encryptionScopes.get(GROUP, account, "projects"), made);
    await encryptionScopes.put(GROUP, account, "others", { source });
    const listed = await Array.fromAsync(encryptionScopes.list(GROUP, account));
    assert.deepEqual(
      listed.map(({ name }) => name),
      ["others", "projects"],
    );

    const strict = service.getContainerClient("strict");
    const containerEncryptionScope = {
      defaultEncryptionScope: "projects",
      preventEncryptionScopeOverride: true,
    };
    await strict.create({ containerEncryptionScope });
    const { defaultEncryptionScope, denyEncryptionScopeOverride } = await strict.getProperties();
    assert.deepEqual([defaultEncryptionScope, denyEncryptionScopeOverride], ["projects", true]);
    const blob = strict.getBlockBlobClient("a");
    const put = await blob.upload("hello", 5);
    assert.deepEqual([put.isServerEncrypted, put.encryptionScope], [true, "projects"]);
    const forbidden = refused(403, "RequestForbiddenByContainerEncryptionPolicy");
    await assert.rejects(blob.upload("hello", 5, { encryptionScope: "others" }), forbidden);
    await assert.rejects(
      blob.upload("hello", 5, { customerProvidedKey: newKey() }), //
      forbidden,
    );

    const copied = container.getBlockBlobClient("copied-to-others");
    await copied.syncCopyFromURL(signed(blob), { encryptionScope: "others" });
    const { encryptionScope } = await copied.getProperties();
    assert.deepEqual(
      [encryptionScope, (await copied.downloadToBuffer()).toString()],
      ["others", "hello"],
    );
    const bySignature = new BlockBlobClient(
      signed(container.getBlockBlobClient("by-signature"), "others"),
      undefined,
      options,
    );
    const uploaded = await bySignature.upload("signed", 6);
    assert.equal(uploaded.encryptionScope, "others");
    const ofAccount = generateAccountSASQueryParameters(
      {
        permissions: AccountSASPermissions.parse("cw"),
        services: "b",
        resourceTypes: "o",
        expiresOn: IN_AN_HOUR,
        encryptionScope: "projects",
      },
      shared,
    );
    const { url } = container.getBlockBlobClient("by-account");
    const byAccount = new BlockBlobClient(`${url}?${ofAccount.toString()}`, undefined, options);
    assert.equal((await byAccount.upload("signed", 6)).encryptionScope, "projects");

    const off = await encryptionScopes.patch(GROUP, account, "others", { state: "Disabled" });
    assert.equal(off.state, "Disabled");
    const disabled = refused(403, "EncryptionScopeDisabled");
    await assert.rejects(copied.downloadToBuffer(), { statusCode: 403 });
    await assert.rejects(bySignature.upload("again", 5), disabled);
    assert.equal((await blob.downloadToBuffer()).toString(), "hello");
    await encryptionScopes.patch(GROUP, account, "others", { state: "Enabled" });
    assert.equal((await copied.downloadToBuffer()).toString(), "hello");
  });
});

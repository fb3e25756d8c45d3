import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { Caller } from "#platform/auth/caller.ts";
import { ACCOUNT, ORIGIN, startStorage, type TestStorage } from "../storage.fixture.ts";
import type { StorageOptions } from "../index.ts";

const PROVIDER = "/subscriptions/s1/resourceGroups/local/providers/Svc.Storage";
const NEW = { location: "here", kind: "StorageV2", sku: { name: "Standard_LRS" } };
const SKU = { name: "Standard_LRS", tier: "Standard" };
type Key = { readonly keyName: string; readonly value: string };

/** `owner` may everything, `operator` may list and replace keys; the token is the name. */
async function accounts(options: Partial<StorageOptions> = {}) {
  const storage = await startStorage({
    ownAccount: "ownaccount1",
    decide: ({ objectId }, { action }) =>
      objectId === "owner" || (objectId === "operator" && /listKeys|regenerateKey/.test(action)),
    verifyToken: async (objectId): Promise<Caller> => {
      return { objectId, kind: "User", tenantId: "t1", scheme: "bearer" };
    },
    ...options,
  });
  async function ask(method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT", path: string, sent = {}) {
    const { body, by = "owner", at = PROVIDER }: { body?: object; by?: string; at?: string } = sent;
    const answer = await storage.gateway.inject({
      method,
      url: `${at}/${path}?api-version=2025-01-01`,
      headers: { authorization: `Bearer ${by}` },
      ...(body !== undefined && { body }),
    });
    const content: unknown = answer.body === "" ? undefined : answer.json();
    return [answer.statusCode, content] as const;
  }
  const put = (name: string, body: object = NEW) => ask("PUT", `storageAccounts/${name}`, { body });
  async function keysOf(name: string): Promise<string[]> {
    const [, content] = await ask("POST", `storageAccounts/${name}/listKeys`);
    return (content as { keys: Key[] }).keys.map(({ value }) => value);
  }
  return { storage, ask, put, keysOf };
}

/** The status of a signed request to the blob service; `key` is base64. */
async function signed(
  { app }: TestStorage,
  { method, url, key }: { method: "GET" | "PUT"; url: string; key: string },
) {
  const [, account = ""] = url.split("/");
  const [path = "", query = ""] = url.split("?");
  const own = { "x-svc-date": new Date().toUTCString(), "x-svc-version": "2025-01-05" };
  const canonical = Object.entries(own).map((pair) => pair.join(":"));
  const parameters = query.split("&").map((pair) => pair.replace("=", ":"));
  const resource = [`/${account}${path}`, ...parameters.toSorted()];
  const text = [method, ...Array<string>(11).fill(""), ...canonical, ...resource].join("\n");
  const hmac = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  const headers = { ...own, authorization: `SharedKey ${account}:${hmac}` };
  return (await app.inject({ method, url, headers })).statusCode;
}

function refusal(code: string, message: string) {
  return { error: { code, message } };
}

suite("storage accounts", () => {
  test("are made, shown, changed and listed", async () => {
    const { storage, ask, put } = await accounts();
    const [status, made] = await put("one");
    const { properties, ...rest } = made as { properties: { creationTime: string } };
    const id = `${PROVIDER}/storageAccounts/one`;
    const type = "Svc.Storage/storageAccounts";
    const named = { id, name: "one", type, location: "here", kind: "StorageV2", sku: SKU };
    assert.deepEqual([status, rest], [200, { ...named, tags: {} }]);
    const { creationTime } = properties;
    assert.deepEqual(properties, {
      provisioningState: "Succeeded",
      creationTime,
      primaryLocation: "here",
      statusOfPrimary: "available",
      primaryEndpoints: { blob: `${ORIGIN}/one/` },
      secondaryEndpoints: { blob: `${ORIGIN}/one-secondary/` },
      keyCreationTime: { key1: creationTime, key2: creationTime },
      accessTier: "Hot",
      allowBlobPublicAccess: true,
      allowSharedKeyAccess: true,
      isHnsEnabled: false,
    });
    const tags = { team: "a" };
    const changed = await ask("PATCH", "storageAccounts/one", { body: { tags } });
    assert.deepEqual(changed, [200, { ...named, tags, properties }]);
    assert.deepEqual(await ask("GET", "storageAccounts/one"), changed);
    for (const at of [PROVIDER, "/subscriptions/s1/providers/Svc.Storage"]) {
      const [, listed] = await ask("GET", "storageAccounts", { at });
      const names = (listed as { value: { name: string }[] }).value.map(({ name }) => name);
      assert.deepEqual(names, ["one", "ownaccount1", ACCOUNT]);
    }
    await storage.stop();
  });

  test("open with either of two keys, and with a replaced one never again", async () => {
    const { storage, ask, put, keysOf } = await accounts();
    await put("one");
    await put("two");
    const [first = "", second = ""] = await keysOf("one");
    const [foreign = ""] = await keysOf("two");
    const url = "/one/logs?restype=container";
    const get = (key: string) => signed(storage, { method: "GET", url, key });
    assert.equal(await signed(storage, { method: "PUT", url, key: first }), 201);
    assert.deepEqual([await get(first), await get(second), await get(foreign)], [200, 200, 403]);

    const body = { keyName: "key1" };
    const path = "storageAccounts/one/regenerateKey";
    const [status, content] = await ask("POST", path, { body, by: "operator" });
    const { keys } = content as { keys: Key[] };
    const [fresh = ""] = keys.map(({ value }) => value);
    assert.deepEqual([status, keys[1]?.value], [200, second]);
    assert.equal(Buffer.from(fresh, "base64").length, 64);
    assert.deepEqual([await get(first), await get(second), await get(fresh)], [403, 200, 200]);
    await storage.stop();
  });

  test("keep their keys through a restart, and sealed", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-accounts-"));
    const file = join(folder.path, "storage.sqlite");
    const location = { kind: "sqlite", file } as const;
    const first = await accounts({ location, dir: folder.path });
    await first.put("one");
    const keys = [...(await first.keysOf("one")), ...(await first.keysOf("ownaccount1"))];
    await first.storage.stop();
    const written = (await readFile(file)).toString("latin1");
    for (const key of keys) {
      const raw = Buffer.from(key, "base64").toString("latin1");
      assert.deepEqual([written.includes(key), written.includes(raw)], [false, false]);
    }
    const second = await accounts({ location, dir: folder.path });
    const kept = [...(await second.keysOf("one")), ...(await second.keysOf("ownaccount1"))];
    assert.deepEqual(kept, keys);
    await second.storage.stop();
  });

  test("take everything in them along when they go", async () => {
    const { storage, ask, put, keysOf } = await accounts();
    await put("one");
    const url = "/one/logs?restype=container";
    const [before = ""] = await keysOf("one");
    assert.equal(await signed(storage, { method: "PUT", url, key: before }), 201);
    assert.deepEqual(await ask("DELETE", "storageAccounts/one"), [200, undefined]);
    assert.deepEqual(await ask("DELETE", "storageAccounts/one"), [204, undefined]);
    assert.equal(await signed(storage, { method: "GET", url, key: before }), 404);
    const gone = refusal("ResourceNotFound", 'There is no storage account "one" here.');
    assert.deepEqual(await ask("GET", "storageAccounts/one"), [404, gone]);
    await put("one");
    const [key = ""] = await keysOf("one");
    assert.equal(await signed(storage, { method: "GET", url, key: before }), 403);
    assert.equal(await signed(storage, { method: "GET", url, key }), 404);
    await storage.stop();
  });

  test("of Atoll's own stay, and the one with public keys keeps those", async () => {
    const { storage, ask, put } = await accounts();
    const fixed =
      `The account "${ACCOUNT}" is the development account, whose key every tool knows; it is ` +
      "not changed. Make an account of your own.";
    assert.deepEqual(await put(ACCOUNT), [409, refusal("AccountIsFixed", fixed)]);
    const body = { keyName: "key2" };
    const regenerated = await ask("POST", `storageAccounts/${ACCOUNT}/regenerateKey`, { body });
    assert.deepEqual(regenerated, [409, refusal("AccountIsFixed", fixed)]);
    for (const name of [ACCOUNT, "ownaccount1"]) {
      const said = `The account "${name}" is the one that Atoll comes with; it is not deleted.`;
      const expected = [409, refusal("AccountProtectedFromDeletion", said)];
      assert.deepEqual(await ask("DELETE", `storageAccounts/${name}`), expected);
    }
    await storage.stop();
  });

  test("are refused by name where they cannot be what was asked for", async () => {
    const { storage, ask, put } = await accounts();
    const badName = '"Not-a-name" is no name of an account: 3 to 24 lower-case letters and digits.';
    assert.deepEqual(await put("Not-a-name"), [400, refusal("AccountNameInvalid", badName)]);
    const [status, content] = await put("one", { ...NEW, properties: { isHnsEnabled: true } });
    const { code, message } = (content as { error: { code: string; message: string } }).error;
    assert.deepEqual([status, code], [501, "NotImplemented"]);
    assert.match(message, /^properties.isHnsEnabled is true, which accounts here do not have yet/);
    const noKind = await put("one", { location: "here", sku: { name: "Standard_LRS" } });
    assert.deepEqual([noKind[0], (await ask("GET", "storageAccounts/one"))[0]], [400, 404]);

    const at = PROVIDER.replace("local", "other");
    const noGroup = 'There is no resource group "other"; there is "local".';
    const inOther = await ask("GET", "storageAccounts", { at });
    assert.deepEqual(inOther, [404, refusal("ResourceGroupNotFound", noGroup)]);
    const elsewhere = PROVIDER.replace("s1", "s2");
    const noSubscription = "There is no subscription s2; there is s1.";
    const inElse = await ask("GET", "storageAccounts", { at: elsewhere });
    assert.deepEqual(inElse, [404, refusal("SubscriptionNotFound", noSubscription)]);
    await storage.stop();
  });

  test("show themselves and their keys to those with a role for it", async () => {
    const { storage, ask, put } = await accounts();
    await put("one");
    const scope = `${PROVIDER}/storageAccounts/one`;
    const body = { keyName: "key1" };
    const denied = async (request: Promise<readonly [number, unknown]>, action: string) => {
      const said =
        `The principal nobody may not perform the action Svc.Storage/storageAccounts/${action} ` +
        `at the scope ${scope}; no role assigned to it there allows it.`;
      assert.deepEqual(await request, [403, refusal("AuthorizationFailed", said)]);
    };
    const by = "nobody";
    await denied(ask("GET", "storageAccounts/one", { by }), "read");
    await denied(ask("PUT", "storageAccounts/one", { by, body: NEW }), "write");
    await denied(ask("PATCH", "storageAccounts/one", { by, body: {} }), "write");
    await denied(ask("DELETE", "storageAccounts/one", { by }), "delete");
    await denied(ask("POST", "storageAccounts/one/listKeys", { by }), "listKeys/action");
    const replace = ask("POST", "storageAccounts/one/regenerateKey", { by, body });
    await denied(replace, "regenerateKey/action");
    const revoke = "revokeUserDelegationKeys";
    await denied(ask("POST", `storageAccounts/one/${revoke}`, { by }), `${revoke}/action`);
    assert.deepEqual(await ask("GET", "storageAccounts", { by }), [200, { value: [] }]);
    assert.equal((await ask("POST", "storageAccounts/one/listKeys", { by: "operator" }))[0], 200);
    await storage.stop();
  });

  test("tell whether a name is free", async () => {
    const { storage, ask } = await accounts();
    const at = "/subscriptions/s1/providers/Svc.Storage";
    const check = (name: string) => ask("POST", "checkNameAvailability", { at, body: { name } });
    assert.deepEqual(await check("free1"), [200, { nameAvailable: true }]);
    const taken = `There is a storage account "${ACCOUNT}" already.`;
    const isTaken = { nameAvailable: false, reason: "AlreadyExists", message: taken };
    assert.deepEqual(await check(ACCOUNT), [200, isTaken]);
    assert.equal((await check("no"))[0], 200);
    await storage.stop();
  });
});

import assert from "node:assert/strict";
import { readFile, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Caller } from "#platform/auth/caller.ts";
import { serviceSas } from "../access/signatures.fixture.ts";
import { ACCOUNT, ORIGIN, send, startStorage } from "../storage.fixture.ts";
import type { Sent, TestStorage } from "../storage.fixture.ts";
import { keyHeaders } from "./encryption.fixture.ts";

const SCOPES =
  "/subscriptions/s1/resourceGroups/local/providers/Svc.Storage/storageAccounts/" +
  `${ACCOUNT}/encryptionScopes`;
const APPEND = { "x-svc-blob-type": "AppendBlob" };
const BLOCK = { "x-svc-blob-type": "BlockBlob" };
const LINE = "a line that lies encrypted\n";
const FORBIDDEN = [403, "RequestForbiddenByContainerEncryptionPolicy"];
const MISMATCH = [409, "BlobCustomerSpecifiedEncryptionMismatch"];

/** `owner` may everything, others nothing; the token is the name. */
const access = {
  decide: ({ objectId }: Caller) => objectId === "owner",
  verifyToken: async (objectId: string): Promise<Caller> => {
    return { objectId, kind: "User", tenantId: "t1", scheme: "bearer" };
  },
};

interface Managed {
  readonly body?: object;
  readonly by?: string;
  readonly query?: string;
  readonly at?: string;
}

async function manage(
  { gateway }: TestStorage,
  method: "DELETE" | "GET" | "PATCH" | "PUT",
  name: string,
  { body, by = "owner", query = "", at = SCOPES }: Managed = {},
) {
  const answer = await gateway.inject({
    method,
    url: `${at}${name === "" ? "" : `/${name}`}?api-version=2025-01-01${query}`,
    headers: { authorization: `Bearer ${by}` },
    ...(body !== undefined && { body }),
  });
  const content: unknown = answer.body === "" ? undefined : answer.json();
  return [answer.statusCode, content] as const;
}

const codeOf = (content: unknown) => (content as { error: { code: string } }).error.code;
const stateOf = (content: unknown) =>
  (content as { properties: { state: string } }).properties.state;
const turned = (state: string) => ({ body: { properties: { state } } });

suite("encryption scopes", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage(access);
    for (const name of ["one", "two"].map((end) => `scope-${end}`)) {
      await manage(storage, "PUT", name, { body: {} });
    }
    await send(storage, "logs?restype=container");
  });
  after(() => storage.stop());

  const outcome = async (path: string, sent: Sent = {}) => {
    const { status, code, headers } = await send(storage, path, sent);
    return [status, code || headers["x-svc-error-code"]];
  };
  const create = (path: string, headers: Readonly<Record<string, string>>) =>
    outcome(path, { headers: { ...APPEND, ...headers } });
  const scopeOf = async (path: string) => {
    const { headers } = await send(storage, path, { method: "HEAD" });
    return [headers["x-svc-server-encrypted"], headers["x-svc-encryption-scope"]];
  };
  const named = (scope: string) => ({ "x-svc-encryption-scope": scope });

  test("are made, shown, disabled and listed", async () => {
    const [status, made] = await manage(storage, "PUT", "shown-1", { body: {} });
    const { properties, ...rest } = made as { properties: Record<string, unknown> };
    const id = `${SCOPES}/shown-1`;
    const type = "Svc.Storage/storageAccounts/encryptionScopes";
    assert.deepEqual([status, rest], [201, { id, name: "shown-1", type }]);
    const { creationTime, lastModifiedTime } = properties;
    assert.equal(creationTime, lastModifiedTime);
    const enabled = { source: "Svc.Storage", state: "Enabled", creationTime, lastModifiedTime };
    assert.deepEqual(properties, { ...enabled, requireInfrastructureEncryption: false });
    assert.deepEqual(await manage(storage, "GET", "shown-1"), [200, made]);
    assert.deepEqual(await manage(storage, "PUT", "shown-1", { body: {} }), [200, made]);
    const [, off] = await manage(storage, "PATCH", "shown-1", turned("Disabled"));
    assert.equal(stateOf(off), "Disabled");
    const [, list] = await manage(storage, "GET", "", { query: "&$include=Disabled" });
    assert.deepEqual(list, { value: [off] });
  });

  test("are managed by who may, and have what there is", async () => {
    const refusals: readonly (readonly [number, string, ReturnType<typeof manage>])[] = [
      [403, "AuthorizationFailed", manage(storage, "GET", "scope-one", { by: "guest" })],
      [403, "AuthorizationFailed", manage(storage, "PUT", "three", { by: "guest", body: {} })],
      [404, "EncryptionScopeNotFound", manage(storage, "GET", "nowhere")],
      [404, "EncryptionScopeNotFound", manage(storage, "PATCH", "nowhere", turned("Enabled"))],
      [400, "InvalidResourceName", manage(storage, "PUT", "UPPER", { body: {} })],
      [400, "InvalidResourceName", manage(storage, "PUT", "a", { body: {} })],
      [501, "NotImplemented", manage(storage, "GET", "", { query: "&$filter=x" })],
      [
        404,
        "ResourceNotFound",
        manage(storage, "GET", "", { at: SCOPES.replace(ACCOUNT, "missing1") }),
      ],
    ];
    for (const [status, code, asked] of refusals) {
      const [found, content] = await asked;
      assert.deepEqual([found, codeOf(content)], [status, code]);
    }
    for (const properties of [
      { source: "Microsoft.KeyVault" },
      { requireInfrastructureEncryption: true },
      { keyVaultProperties: {} },
    ]) {
      const [status] = await manage(storage, "PUT", "three", { body: { properties } });
      assert.equal(status, 501);
    }
  });

  test("encrypt what names them, without being named again", async () => {
    assert.deepEqual(await create("logs/day", named("scope-one")), [201, undefined]);
    const appended = await send(storage, "logs/day?comp=appendblock", { body: LINE });
    assert.equal(appended.headers["x-svc-encryption-scope"], "scope-one");
    assert.equal(appended.headers["x-svc-request-server-encrypted"], "true");
    const again = { headers: named("scope-one"), body: LINE };
    assert.deepEqual(await outcome("logs/day?comp=appendblock", again), [201, undefined]);
    const got = await send(storage, "logs/day", { method: "GET" });
    assert.equal(got.text, `${LINE}${LINE}`);
    assert.deepEqual(await scopeOf("logs/day"), ["true", "scope-one"]);
    const bytes = await readFile(join(storage.dir, "extents", "00000001.extent"), "latin1");
    assert.equal(bytes.includes("encrypted"), false);
    const { text } = await send(storage, "logs?restype=container&comp=list", { method: "GET" });
    assert.match(text, /<ServerEncrypted>true<\/ServerEncrypted><EncryptionScope>scope-one</);
    const other = { headers: named("scope-two"), body: LINE };
    assert.deepEqual(await outcome("logs/day?comp=appendblock", other), MISMATCH);
    const snapshot = { headers: named("scope-two") };
    assert.deepEqual(await outcome("logs/day?comp=snapshot", snapshot), MISMATCH);
    assert.deepEqual(await outcome("logs/day?comp=metadata", snapshot), MISMATCH);
    const keyed = { headers: keyHeaders(Buffer.alloc(32)), body: LINE };
    assert.deepEqual(await outcome("logs/day?comp=appendblock", keyed), [
      409,
      "BlobDoesNotUseCustomerSpecifiedEncryption",
    ]);
  });

  test("have to be there, and enabled", async () => {
    assert.deepEqual(await create("logs/no", named("nowhere")), [404, "EncryptionScopeNotFound"]);
    const headers = { "x-svc-default-encryption-scope": "nowhere" };
    const container = await outcome("nowhere?restype=container", { headers });
    assert.deepEqual(container, [404, "EncryptionScopeNotFound"]);
    await create("logs/off", named("scope-two"));
    await send(storage, "logs/off?comp=appendblock", { body: LINE });
    await manage(storage, "PATCH", "scope-two", turned("Disabled"));
    const disabled = [403, "EncryptionScopeDisabled"];
    assert.deepEqual(await create("logs/no", named("scope-two")), disabled);
    for (const sent of [
      { method: "GET" },
      { method: "HEAD" },
      { body: LINE, path: "?comp=appendblock" },
      { path: "?comp=snapshot" },
      { path: "?comp=metadata" },
    ] as const) {
      const { path, ...rest } = { path: "", ...sent };
      assert.deepEqual(await outcome(`logs/off${path}`, rest), disabled);
    }
    await manage(storage, "PATCH", "scope-two", turned("Enabled"));
    assert.equal((await send(storage, "logs/off", { method: "GET" })).text, LINE);
  });

  test("are the default of a container, which may deny all others", async () => {
    const policy = (scope: string, denies: string) => ({
      "x-svc-default-encryption-scope": scope,
      "x-svc-deny-encryption-scope-override": denies,
    });
    await send(storage, "free?restype=container", { headers: policy("scope-one", "false") });
    await send(storage, "strict?restype=container", { headers: policy("scope-one", "true") });
    const { headers } = await send(storage, "strict?restype=container", { method: "GET" });
    assert.deepEqual(
      Object.keys(policy("", "")).map((name) => headers[name]),
      ["scope-one", "true"],
    );
    const list = await send(storage, "?comp=list&prefix=strict", { method: "GET" });
    const shown = "<DefaultEncryptionScope>scope-one</DefaultEncryptionScope>";
    assert.ok(list.text.includes(`${shown}<DenyEncryptionScopeOverride>true<`), list.text);
    for (const name of ["free/a", "strict/a"]) {
      await create(name, {});
      assert.deepEqual(await scopeOf(name), ["true", "scope-one"]);
    }
    await create("free/b", named("scope-two"));
    assert.deepEqual(await scopeOf("free/b"), ["true", "scope-two"]);
    await create("free/c", named("$account-encryption-key"));
    assert.deepEqual(await scopeOf("free/c"), ["false", undefined]);
    assert.deepEqual(await create("strict/b", named("scope-one")), [201, undefined]);
    assert.deepEqual(await create("strict/b", named("scope-two")), FORBIDDEN);
    assert.deepEqual(await create("strict/b", keyHeaders(Buffer.alloc(32))), FORBIDDEN);
    const copy = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/free/b`, ...named("scope-two") };
    assert.deepEqual(await outcome("strict/c", { headers: copy }), FORBIDDEN);
    const half = { headers: { "x-svc-deny-encryption-scope-override": "true" } };
    const missing = await outcome("half?restype=container", half);
    assert.deepEqual(missing, [400, "MissingRequiredHeader"]);
    const odd = await outcome("half?restype=container", { headers: policy("scope-one", "maybe") });
    assert.deepEqual(odd, [400, "InvalidHeaderValue"]);
  });

  test("are named by a signature, which is for no other", async () => {
    const unsigned = true;
    const signed = (sp: string, ses: string) => serviceSas(sp, "logs", { ses });
    const put = (name: string, sas: string, headers: Readonly<Record<string, string>> = {}) =>
      outcome(`logs/${name}?${sas}`, { headers: { ...BLOCK, ...headers }, body: LINE, unsigned });
    assert.deepEqual(await put("signed", signed("rw", "scope-one")), [201, undefined]);
    assert.deepEqual(await scopeOf("logs/signed"), ["true", "scope-one"]);
    const otherwise = [403, "AuthorizationPermissionMismatch"];
    const sas = signed("rw", "scope-one");
    assert.deepEqual(await put("signed", sas, named("scope-two")), otherwise);
    assert.deepEqual(await put("signed", sas, keyHeaders(Buffer.alloc(32))), otherwise);
    assert.deepEqual(await put("signed", sas, named("scope-one")), [201, undefined]);
    const strict = serviceSas("rw", "strict", { ses: "scope-two" });
    const denied = await outcome(`strict/d?${strict}`, { headers: BLOCK, body: LINE, unsigned });
    assert.deepEqual(denied, FORBIDDEN);
  });

  test("go with their account", async () => {
    const accounts = SCOPES.slice(0, SCOPES.indexOf(`/${ACCOUNT}`));
    const body = { location: "local", kind: "StorageV2", sku: { name: "Standard_LRS" } };
    const at = `${accounts}/other1/encryptionScopes`;
    await manage(storage, "PUT", "other1", { at: accounts, body });
    assert.equal((await manage(storage, "PUT", "gone", { at, body: {} }))[0], 201);
    await manage(storage, "DELETE", "other1", { at: accounts });
    await manage(storage, "PUT", "other1", { at: accounts, body });
    const [status, content] = await manage(storage, "GET", "gone", { at });
    assert.deepEqual([status, codeOf(content)], [404, "EncryptionScopeNotFound"]);
  });

  test("keep their keys sealed, and have them after a restart", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-scopes-"));
    const location = { kind: "sqlite", file: join(folder.path, "storage.sqlite") } as const;
    const options = { ...access, dir: folder.path, location };
    const first = await startStorage(options);
    const both = [1, 2].map(() => manage(first, "PUT", "kept", { body: {} }));
    assert.deepEqual(
      (await Promise.all(both)).map(([status]) => status < 300),
      [true, true],
    );
    await send(first, "logs?restype=container");
    await send(first, "logs/a", { headers: { ...BLOCK, ...named("kept") }, body: LINE });
    await first.stop();
    const second = await startStorage(options);
    try {
      assert.equal((await send(second, "logs/a", { method: "GET" })).text, LINE);
    } finally {
      await second.stop();
    }
  });
});

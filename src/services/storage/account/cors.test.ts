import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { send, startStorage, type TestStorage } from "../storage.fixture.ts";

const SHOP = "https://shop.test";

interface Rule {
  readonly origins?: string;
  readonly methods?: string;
  readonly headers?: string;
  readonly exposed?: string;
  readonly maxAge?: string;
}

function rule({
  origins = SHOP,
  methods = "GET",
  headers = "",
  exposed = "",
  maxAge = "60",
}: Rule) {
  return (
    `<CorsRule><AllowedOrigins>${origins}</AllowedOrigins>` +
    `<AllowedMethods>${methods}</AllowedMethods><AllowedHeaders>${headers}</AllowedHeaders>` +
    `<ExposedHeaders>${exposed}</ExposedHeaders>` +
    `<MaxAgeInSeconds>${maxAge}</MaxAgeInSeconds></CorsRule>`
  );
}

suite("requests across origins", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await send(storage, "open?restype=container", {
      headers: { "x-svc-blob-public-access": "blob" },
    });
    const headers = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "open/a", { headers, body: "content" });
    const shop = {
      methods: "GET,PUT",
      headers: "x-ms-meta-*,content-type",
      exposed: "x-svc-meta-a,etag",
    };
    assert.equal((await set(rule(shop) + rule({ origins: "*", methods: "HEAD" }))).status, 202);
  });
  after(() => storage.stop());

  const set = (rules: string) =>
    send(storage, "?restype=service&comp=properties", {
      body: `<StorageServiceProperties><Cors>${rules}</Cors></StorageServiceProperties>`,
    });
  const ask = async (origin: string, method: string, headers = "", path = "open/a") => {
    const answer = await storage.app.inject({
      method: "OPTIONS",
      url: path.startsWith("/") ? path : `/testaccount1/${path}`,
      headers: {
        ...(origin !== "" && { origin }),
        "access-control-request-method": method,
        ...(headers !== "" && { "access-control-request-headers": headers }),
      },
    });
    const code = /<Code>(.*?)<\/Code>/.exec(answer.body)?.[1] ?? "";
    const shown = [
      "allow-origin",
      "allow-methods",
      "allow-headers",
      "max-age",
      "allow-credentials",
    ];
    return [
      answer.statusCode,
      code,
      ...shown.map((name) => answer.headers[`access-control-${name}`]),
    ];
  };
  const NO = [undefined, undefined, undefined, undefined, undefined];

  test("are announced by the browser, and allowed by the first rule that fits", async () => {
    const wanted = "x-svc-meta-a, X-Ms-Meta-B,Content-Type";
    const allowed = "x-svc-meta-a,X-Ms-Meta-B,Content-Type";
    assert.deepEqual(await ask(SHOP, "PUT", wanted), [200, "", SHOP, "PUT", allowed, "60", "true"]);
    assert.deepEqual(await ask("https://b.test", "HEAD"), [
      200,
      "",
      "*",
      "HEAD",
      undefined,
      "60",
      undefined,
    ]);
    const refused = [403, "CorsPreflightFailure", ...NO];
    assert.deepEqual(await ask("https://b.test", "GET"), refused);
    assert.deepEqual(await ask(SHOP, "DELETE"), refused);
    assert.deepEqual(await ask(SHOP, "PUT", "x-svc-date"), refused);
    assert.deepEqual(await ask("", "PUT"), [400, "MissingRequiredHeader", ...NO]);
    const other = await ask(SHOP, "PUT", "", "/otheraccount/a/b");
    assert.deepEqual(other, [404, "ResourceNotFound", ...NO]);
  });

  test("are answered for the browser to show, refusals as well", async () => {
    const read = async (origin: string, path: string, headers: Record<string, string> = {}) => {
      const url = `/testaccount1/${path}`;
      const answer = await storage.app.inject({ url, headers: { origin, ...headers } });
      const shown = ["access-control-allow-origin", "access-control-expose-headers", "vary"];
      return [answer.statusCode, ...shown.map((name) => answer.headers[name])];
    };
    assert.deepEqual(await read(SHOP, "open/a"), [200, SHOP, "x-svc-meta-a,etag", "Origin"]);
    const spoken = { "x-ms-version": "2022-11-02" };
    assert.deepEqual(await read(SHOP, "open/a", spoken), [200, SHOP, "x-ms-meta-a,etag", "Origin"]);
    assert.deepEqual(await read(SHOP, "none/a"), [401, SHOP, "x-svc-meta-a,etag", "Origin"]);
    assert.deepEqual(await read("https://b.test", "open/a"), [200, undefined, undefined, "Origin"]);
  });

  test("have at most five rules, each of the right form", async () => {
    const code = async (rules: string) => (await set(rules)).code;
    assert.equal(await code(rule({}).repeat(6)), "InvalidXmlDocument");
    assert.equal(await code(rule({ methods: "FETCH" })), "InvalidXmlNodeValue");
    assert.equal(await code(rule({ origins: "" })), "MissingRequiredXmlNode");
    assert.equal(await code(rule({ methods: "" })), "MissingRequiredXmlNode");
    assert.equal(await code(rule({ maxAge: "-1" })), "InvalidXmlNodeValue");
    assert.equal(await code(rule({ headers: "x,".repeat(65) })), "InvalidXmlNodeValue");
    assert.equal(await code(rule({ origins: "o".repeat(257) })), "InvalidXmlNodeValue");
    assert.equal(await code("<CorsRule/>"), "MissingRequiredXmlNode");
    assert.deepEqual((await ask(SHOP, "PUT")).slice(0, 3), [200, "", SHOP]);
  });
});

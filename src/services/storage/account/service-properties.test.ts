import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { accountSas } from "../access/signatures.fixture.ts";
import { send, startStorage, TOKENS, type TestStorage } from "../storage.fixture.ts";

const PATH = "?restype=service&comp=properties";
const OFF = "<Enabled>false</Enabled>";
const NO_METRICS = `<Version>1.0</Version>${OFF}<RetentionPolicy>${OFF}</RetentionPolicy>`;
const LOGGING =
  "<Logging><Version>1.0</Version><Delete>true</Delete><Read>false</Read><Write>true</Write>" +
  "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></Logging>";

suite("properties of the blob service", () => {
  let storage: TestStorage;
  before(async () => (storage = await startStorage()));
  after(() => storage.stop());

  const get = async () => (await send(storage, PATH, { method: "GET" })).text;
  const set = (sections: string) =>
    send(storage, PATH, {
      body: `<StorageServiceProperties>${sections}</StorageServiceProperties>`,
    });
  const rest = (logging: string) =>
    '\uFEFF<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties>' +
    `${logging}<HourMetrics>${NO_METRICS}</HourMetrics>` +
    `<MinuteMetrics>${NO_METRICS}</MinuteMetrics><Cors></Cors>`;
  const END =
    `<DeleteRetentionPolicy>${OFF}</DeleteRetentionPolicy>` +
    `<StaticWebsite>${OFF}</StaticWebsite></StorageServiceProperties>`;

  test("are set section by section; what is not sent stays", async () => {
    const off = LOGGING.replaceAll("true", "false").replace("<Days>7</Days>", "");
    assert.equal(await get(), rest(off) + END);
    assert.equal((await set(LOGGING)).status, 202);
    assert.equal(await get(), rest(LOGGING) + END);
    const version = "<DefaultServiceVersion>2019-02-02</DefaultServiceVersion>";
    assert.equal((await set(version)).status, 202);
    assert.equal(await get(), rest(LOGGING) + version + END);
    const anonymous = await send(storage, "none/a", {
      method: "GET",
      unsigned: true,
      headers: { "x-svc-version": "2020-02-10" },
    });
    assert.equal(anonymous.headers["x-svc-version"], "2020-02-10");
    const unsaid = await storage.app.inject("/testaccount1/none/a");
    assert.equal(unsaid.headers["x-svc-version"], "2019-02-02");
  });

  test("are refused when malformed or not there, and stay as they were", async () => {
    const text = await get();
    const refused: readonly (readonly [string, number, string])[] = [
      ["<Other/>", 400, "InvalidXmlDocument"],
      ["<Logging></Logging>", 400, "MissingRequiredXmlNode"],
      [LOGGING.replace("<Read>false", "<Read>maybe"), 400, "InvalidXmlNodeValue"],
      [LOGGING.replace("<Days>7", "<Days>366"), 400, "InvalidXmlNodeValue"],
      [LOGGING.replace("1.0", "3.0"), 400, "InvalidXmlNodeValue"],
      [
        `<HourMetrics>${NO_METRICS}<IncludeAPIs>true</IncludeAPIs></HourMetrics>`,
        400,
        "InvalidXmlDocument",
      ],
      ["<DefaultServiceVersion>2000-01-01</DefaultServiceVersion>", 400, "InvalidXmlNodeValue"],
      ["<StaticWebsite><Enabled>true</Enabled></StaticWebsite>", 501, "APINotImplemented"],
      [
        "<DeleteRetentionPolicy><Enabled>true</Enabled></DeleteRetentionPolicy>",
        501,
        "APINotImplemented",
      ],
    ];
    for (const [section, status, code] of refused) {
      const got = await set(section);
      assert.deepEqual([section, got.status, got.code], [section, status, code]);
    }
    assert.equal(await get(), text);
  });

  test("are for those who may manage the service", async () => {
    const code = async (query: string, headers = {}) => {
      const path = `${PATH}${query}`;
      return (await send(storage, path, { method: "GET", unsigned: true, headers })).code;
    };
    assert.equal(await code(`&${accountSas("r", "s")}`), "");
    assert.equal(await code(`&${accountSas("w", "s")}`), "AuthorizationPermissionMismatch");
    assert.equal(await code(`&${accountSas("r", "c")}`), "AuthorizationResourceTypeMismatch");
    assert.equal(await code("", { authorization: `Bearer ${TOKENS["reader"] ?? ""}` }), "");
    const nobody = { authorization: `Bearer ${TOKENS["nobody"] ?? ""}` };
    assert.equal(await code("", nobody), "AuthorizationPermissionMismatch");
    assert.equal(await code(""), "NoAuthenticationInformation");
  });

  test("tell what kind of account it is, wherever it is asked for", async () => {
    for (const path of ["", "none", "none/a"]) {
      for (const method of ["GET", "HEAD"] as const) {
        const { status, headers } = await send(storage, `${path}?restype=account&comp=properties`, {
          method,
        });
        const shown = ["sku-name", "account-kind", "is-hns-enabled"].map(
          (name) => headers[`x-svc-${name}`],
        );
        assert.deepEqual([status, ...shown], [200, "Standard_RAGRS", "StorageV2", "false"]);
      }
    }
  });

  test("tell at the secondary address, and only there, how far it is", async () => {
    const stats = "?restype=service&comp=stats";
    const primary = await send(storage, stats, { method: "GET" });
    assert.equal(primary.code, "InvalidQueryParameterValue");
    const path = `/testaccount1-secondary${stats}`;
    const { status, text } = await send(storage, path, { method: "GET" });
    assert.equal(status, 200);
    assert.match(
      text,
      /<GeoReplication><Status>live<\/Status><LastSyncTime>.* GMT<\/LastSyncTime>/,
    );
  });
});

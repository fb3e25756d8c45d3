import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ACCOUNT, send, startStorage, type TestStorage } from "../storage.fixture.ts";

suite("finding blobs by tags", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    for (const container of ["one", "two"]) {
      await send(storage, `${container}?restype=container`);
      for (const [name, tags] of [
        ["a", "project=atoll&state=open"],
        ["b%26", "project=atoll&state=closed"],
        ["c", "project=other"],
      ] as const) {
        const headers = { "x-svc-blob-type": "AppendBlob", "x-svc-tags": tags };
        await send(storage, `${container}/${name}`, { headers });
      }
      await send(storage, `${container}/d`, { headers: { "x-svc-blob-type": "AppendBlob" } });
    }
  });
  after(() => storage.stop());

  const find = async (where: string, more = "", container = "") => {
    const path = container === "" ? `/${ACCOUNT}?` : `${container}?restype=container&`;
    const query = `comp=blobs&where=${encodeURIComponent(where)}${more}`;
    const got = await send(storage, path + query, { method: "GET" });
    const found = [...got.text.matchAll(/<Name>(.*?)<\/Name><ContainerName>(.*?)</g)];
    const next = /<NextMarker>(.+?)<\/NextMarker>/.exec(got.text)?.[1];
    return { ...got, names: found.map(([, name, its]) => `${its}/${name}`), next };
  };

  test("looks through the account, or one container of it", async () => {
    const all = await find("project = 'atoll'");
    assert.deepEqual(all.names, ["one/a", "one/b&amp;", "two/a", "two/b&amp;"]);
    assert.match(all.text, /<Tags><TagSet><Tag><Key>project<\/Key><Value>atoll<\/Value><\/Tag><\//);
    const both = "project >= 'a' AND state = 'open'";
    assert.deepEqual((await find(both)).names, ["one/a", "two/a"]);
    assert.deepEqual((await find(both, "", "two")).names, ["two/a"]);
    assert.deepEqual((await find(`@container = 'one' AND ${both}`)).names, ["one/a"]);
    assert.deepEqual((await find("project = 'none'")).names, []);
    assert.equal((await find(both, "", "none")).code, "ContainerNotFound");
  });

  test("tells what was found in pages", async () => {
    const names: string[] = [];
    let marker = "";
    for (let page = 1; page <= 3; page += 1) {
      const found = await find("project > 'a'", `&maxresults=2${marker}`);
      names.push(...found.names);
      assert.equal(found.next === undefined, page === 3);
      marker = `&marker=${found.next}`;
    }
    assert.deepEqual(names, ["one/a", "one/b&amp;", "one/c", "two/a", "two/b&amp;", "two/c"]);
  });

  test("tells names that XML cannot hold", async () => {
    const headers = { "x-svc-blob-type": "AppendBlob", "x-svc-tags": "odd=1" };
    await send(storage, "one/a%01", { headers });
    const { text } = await find("odd = '1'");
    assert.ok(text.includes('<Name Encoded="true">a%01</Name>'), text);
  });

  test("refuses what it does not understand", async () => {
    const code = async (where: string, more = "") => (await find(where, more)).code;
    assert.equal(await code(""), "MissingRequiredQueryParameter");
    assert.equal(await code("project"), "InvalidQueryParameterValue");
    assert.equal(await code("a = '1' OR b = '1'"), "InvalidQueryParameterValue");
    assert.equal(await code("a = '1'", "&maxresults=0"), "OutOfRangeQueryParameterValue");
    assert.equal(await code("a = '1'", "&marker=x"), "InvalidQueryParameterValue");
    const zero = Buffer.from(JSON.stringify(["one", "\0"])).toString("base64url");
    assert.equal(await code("a = '1'", `&marker=${zero}`), "InvalidQueryParameterValue");
    assert.equal(await code("a = '1'", "&maxresults=x"), "InvalidQueryParameterValue");
    const unsigned = await send(storage, `/${ACCOUNT}?comp=blobs&where=a`, {
      method: "GET",
      unsigned: true,
    });
    assert.equal(unsigned.status, 401);
  });
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

const PLACES = new Map([
  ["https://a/people.csv", 'name,age\n"Smith, ""Jo""",41\r\nAnn,\n'],
  ["https://a/more.json", '{"age":7,"name":"Bob","x":[1]}\n{"name":"Cid"}\n'],
]);

async function fetchExternal(url: string): Promise<string> {
  const text = PLACES.get(url);
  if (text === undefined) throw new Error(`Nothing is at ${url}`);
  return text;
}

suite("externaldata", () => {
  test("reads delimited text", async () => {
    await using kql = await testKql(fetchExternal);
    const query = `externaldata(name:string, age:long) ["https://a/people.csv"]
      with (ignoreFirstRecord=true) | extend older = age + 1`;
    assert.deepEqual(await kql.results(query), [
      ["name:string age:long older:long", ['Smith, "Jo"', 41, 42], ["Ann", null, null]],
    ]);
  });

  test("reads records of JSON by the names of the columns", async () => {
    await using kql = await testKql(fetchExternal);
    const query = `externaldata(x:dynamic, name:string) ["https://a/more.json"]
      with (format="multijson")`;
    assert.deepEqual(await kql.rows(query), [
      [[1], "Bob"],
      [null, "Cid"],
    ]);
  });

  test("is refused where queries reach nothing, and for formats that are no text", async () => {
    const query = "externaldata(a:long) ['https://a/b'] with (format='orc')";
    await using closed = await testKql();
    await assert.rejects(closed.rows(query), {
      message: "externaldata is not supported here: queries reach no other places.",
    });
    await using kql = await testKql(fetchExternal);
    await assert.rejects(kql.rows(query), {
      message: 'externaldata does not read the format "orc".',
    });
  });
});

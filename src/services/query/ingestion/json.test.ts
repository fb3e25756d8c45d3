import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { KqlType } from "#engines/kql/types.ts";
import { LARGE, testIngestion } from "./ingestion.fixture.ts";

const EVERY = {
  b: "bool",
  i: "int",
  l: "long",
  r: "real",
  d: "decimal",
  s: "string",
  t: "datetime",
  p: "timespan",
  g: "guid",
  j: "dynamic",
} as const satisfies Record<string, KqlType>;
const TEXT = { a: "string", b: "long" } as const;

suite("JSON", () => {
  test("gives fields by their names, each as the type of its column", async () => {
    await using opened = await testIngestion(EVERY);
    const lines = [
      '{"b":1,"i":2.9,"l":9223372036854775807,"r":1,"d":1.25,"s":{"x":[1]},"j":[1,null]}',
      '{"b":"true","i":"3","l":null,"r":"inf","s":12,"t":"2026-01-02","p":"1h","j":"text"}',
      '{"B":true,"b":{},"i":1e10,"g":"74BE27DE-1E4E-49D9-B579-FE0B331D3642","j":null}',
    ];
    for (const data of [lines.join("\n"), lines.join("\r\n") + LARGE]) {
      assert.equal((await opened.ingest(data, { format: "json" })).rows, 3);
    }
    const long = 9_223_372_036_854_775_807n;
    const day = 639_029_088_000_000_000n;
    const guid = "74be27de-1e4e-49d9-b579-fe0b331d3642";
    const rows = [
      [true, 2, long, 1, "1.25", '{"x":[1]}', null, null, null, [1, null]],
      [true, 3, null, Number.POSITIVE_INFINITY, null, "12", day, 36_000_000_000n, null, "text"],
      [null, null, null, null, null, "", null, null, guid, null],
    ];
    assert.deepEqual(await opened.stored(), [...rows, ...rows]);
  });

  test("may be one object over many lines, several, or an array of them", async () => {
    await using opened = await testIngestion(TEXT);
    const multi = ' {"a":"{\\"}",\n"b":1} {"a":"x","b":2},\n[{"a":"y","b":3}\n,{"a":"","b":4}]';
    await opened.ingest(multi, { format: "multijson" });
    await opened.ingest('{\n "a": "z",\n "b": 5\n}\n', { format: "SingleJson" });
    assert.deepEqual(await opened.stored(), [
      ['{"}', 1n],
      ["x", 2n],
      ["y", 3n],
      ["", 4n],
      ["z", 5n],
    ]);
  });

  test("tells where it is malformed, or skips and counts", async () => {
    await using opened = await testIngestion(TEXT);
    const format = "json";
    const lines = '{"a":"x","b":1}\n{"a":"y" "b":2}\n[1]\n{"a":"z"}\n';
    await assert.rejects(opened.ingest(lines, { format }), {
      kind: "malformed",
      message: /^Row 2, column 10: this is not JSON: /u,
    });
    const result = await opened.ingest(lines, { format, badRows: "skip" });
    assert.deepEqual([result.rows, result.skipped], [2, 2]);
    const wrong = {
      '{"a":"x"} nonsense {"a":"y"}': "Row 2, column 1: there is something else than JSON objects.",
      '{"a":"x"}, {"a":{"b":"}': "Row 2, column 13: the text ends inside of an object.",
      '{"a":"x"}]}': "Row 2, column 1: there is something else than JSON objects.",
    };
    for (const [data, message] of Object.entries(wrong)) {
      await assert.rejects(opened.ingest(data, { format: "multijson" }), { message });
    }
  });
});

suite("a mapping of paths", () => {
  test("reaches into records, and transforms what it finds", async () => {
    await using opened = await testIngestion({
      a: "string",
      b: "long",
      t: "datetime",
      all: "dynamic",
      bag: "dynamic",
      n: "long",
    });
    const text = JSON.stringify([
      { column: "a", Properties: { Path: "$.x['the name'][1]" } },
      { column: "b", path: "$.x.b" },
      { column: "t", path: "$.ms", transform: "DateTimeFromUnixMilliseconds" },
      { column: "all", Properties: { Path: "$", Transform: "DropMappedFields" } },
      { column: "bag", Properties: { Path: "$.list", Transform: "PropertyBagArrayToDictionary" } },
      { column: "n", Properties: { Transform: "SourceLineNumber" } },
    ]);
    const record = {
      x: { "the name": [0, "found"], b: 7, more: 1 },
      ms: 1_767_323_045_123,
      list: [{ k: 1 }, { l: 2 }, 3, { k: 4 }],
      rest: true,
    };
    await opened.ingest(JSON.stringify(record), { format: "json", mapping: { text } });
    await opened.ingest("{}", { format: "json", mapping: { text } });
    assert.deepEqual(await opened.stored(), [
      [
        "found",
        7n,
        639_029_088_000_000_000n + 110_451_230_000n,
        { x: { "the name": [0, "found"], more: 1 }, rest: true },
        { k: 4, l: 2 },
        1n,
      ],
      ["", null, null, {}, null, 1n],
    ]);
  });

  test("is refused when a path cannot be read", async () => {
    await using opened = await testIngestion(TEXT);
    const text = '[{"column":"a","path":"$.x[y"}]';
    await assert.rejects(opened.ingest("{}", { format: "json", mapping: { text } }), {
      kind: "mapping",
      message: "The path '$.x[y' cannot be read from 3 on.",
    });
  });
});

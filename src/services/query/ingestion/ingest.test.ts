import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { KqlType, KqlValue } from "#engines/kql/types.ts";
import { listExtents } from "../catalog/extents.ts";
import { putMapping } from "../catalog/mappings.ts";
import { alterTable } from "../catalog/tables.ts";
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

const EVERY_LINES = [
  'true,1,9223372036854775807,1.5,12.50,"a,""b""",2026-01-02T03:04:05.1234567Z,' +
    '1.02:03:04.5,74BE27DE-1E4E-49D9-B579-FE0B331D3642,"{""a"": [1.50, 12345678901234567890]}"',
  "0,-7,0x1F,-1e3,-1e-3, x ,2026-01-02,12:00:00,{74be27de1e4e49d9b579fe0b331d3642},word",
  ",,,,,,,,,",
  "maybe,3000000000,1.5,x,x,y,2026-02-30,soon,1234,null",
  'FALSE,12,-5,NaN,7,"two\nlines",2026-01-02 03:04:05,-00:00:01,,7',
].join("\n");
const DAY = 639_029_088_000_000_000n;
const EVERY_ROWS: readonly (readonly KqlValue[])[] = [
  [
    true,
    1,
    9_223_372_036_854_775_807n,
    1.5,
    "12.5",
    'a,"b"',
    DAY + 110_451_234_567n,
    937_845_000_000n,
    "74be27de-1e4e-49d9-b579-fe0b331d3642",
    { a: [1.5, 12_345_678_901_234_567_890n] },
  ],
  [
    false,
    -7,
    31n,
    -1000,
    "-0.001",
    " x ",
    DAY,
    432_000_000_000n,
    "74be27de-1e4e-49d9-b579-fe0b331d3642",
    "word",
  ],
  [null, null, null, null, null, "", null, null, null, null],
  [null, null, null, null, null, "y", null, null, null, null],
  [false, 12, -5n, Number.NaN, "7", "two\nlines", DAY + 110_450_000_000n, -10_000_000n, null, 7],
];

suite("CSV", () => {
  test("gives values of every type, and null for what is none", async () => {
    await using opened = await testIngestion(EVERY);
    const result = await opened.ingest(EVERY_LINES);
    assert.deepEqual([result.rows, result.skipped], [5, 0]);
    assert.deepEqual(await opened.stored(), EVERY_ROWS);
  });

  test("gives the same values when it is large", async () => {
    await using opened = await testIngestion(EVERY);
    const result = await opened.ingest(EVERY_LINES + LARGE);
    assert.deepEqual([result.rows, result.skipped], [5, 0]);
    assert.deepEqual(await opened.stored(), EVERY_ROWS);
    assert.deepEqual(await readdir(opened.catalog.sql.landingDir), []);
  });

  test("may lack fields at the end and have too many, small or large", async () => {
    await using opened = await testIngestion(TEXT);
    const lines = "a,1\r\nb\nc,3,x\n";
    const rows = [
      ["a", 1n],
      ["b", null],
      ["c", 3n],
    ];
    await opened.ingest(lines);
    await opened.ingest(lines + LARGE);
    assert.deepEqual(await opened.stored(), [...rows, ...rows]);
  });

  test("tells where it is malformed and then keeps nothing, or skips and counts", async () => {
    await using opened = await testIngestion(TEXT);
    const lines = 'a,1\n"b"x,2\nc,3\n"d,4';
    const refusal = {
      name: "IngestionError",
      kind: "malformed",
      message: "Row 2, column 1: there is text behind a quoted field.",
    };
    for (const data of [lines, lines + LARGE]) {
      await assert.rejects(opened.ingest(data), refusal);
      assert.deepEqual(await opened.stored(), []);
    }
    const result = await opened.ingest(lines, { badRows: "skip" });
    assert.deepEqual([result.rows, result.skipped], [2, 2]);
    assert.deepEqual(await opened.stored(), [
      ["a", 1n],
      ["c", 3n],
    ]);
  });

  test("leaves out a first record with names", async () => {
    await using opened = await testIngestion(TEXT);
    for (const data of ["a,b\nx,1\n", `a,b\nx,1\n${LARGE}`]) {
      assert.equal((await opened.ingest(data, { ignoreFirstRecord: true })).rows, 1);
    }
    assert.deepEqual(await opened.stored(), [
      ["x", 1n],
      ["x", 1n],
    ]);
  });

  test("is unpacked when it is gzip, also beyond the size of memory", async () => {
    await using opened = await testIngestion(TEXT);
    await opened.ingest(gzipSync("x,1\n"));
    await opened.ingest(gzipSync(`${"y".repeat(100)},2\n`.repeat(100_000)));
    const [[count] = []] = await opened.rows("select count(*) from main.t2", [
      { name: "count", type: "long" },
    ]);
    assert.equal(count, 100_001n);
    await assert.rejects(opened.ingest(gzipSync(Buffer.alloc(65 * 1024 * 1024))), {
      kind: "too-large",
      message: "The data has more than 67108864 bytes unpacked.",
    });
    await assert.rejects(opened.ingest(Uint8Array.of(0x1f, 0x8b, 1, 2, 3)), { kind: "malformed" });
  });

  test("has relatives with other delimiters, with escapes, and without fields", async () => {
    await using opened = await testIngestion(TEXT);
    await opened.ingest("a\t1\n", { format: "TSV" });
    await opened.ingest("a\\tb\t2\n", { format: "tsve" });
    await opened.ingest("a;3\n", { format: "scsv" });
    await opened.ingest("a|4\n", { format: "psv" });
    await opened.ingest("a\u00015\n", { format: "sohsv" });
    await opened.ingest("a,6\n\nb", { format: "txt" });
    await opened.ingest("a,7\nb", { format: "raw" });
    assert.deepEqual(await opened.stored(), [
      ["a", 1n],
      ["a\tb", 2n],
      ["a", 3n],
      ["a", 4n],
      ["a", 5n],
      ["a,6", null],
      ["", null],
      ["b", null],
      ["a,7\nb", null],
    ]);
    await assert.rejects(opened.ingest("", { format: "xls" }), {
      message: /^There is no format 'xls'; there are csv, tsv, /u,
    });
  });
});

suite("a mapping of fields", () => {
  const text = JSON.stringify([
    { Column: "b", Properties: { Ordinal: "0" } },
    { Column: "a", Properties: { ConstValue: "it's" } },
  ]);

  test("names the ordinal or the constant of each column, stored or sent along", async () => {
    await using opened = await testIngestion(TEXT);
    const place = { database: "db", table: "T", kind: "csv", name: "m" } as const;
    await putMapping(opened.catalog, { ...place, text }, "create");
    for (const data of ["5,x\n", `5,x\n${LARGE}`]) {
      await opened.ingest(data, { mapping: { name: "m" } });
      await opened.ingest(data, { mapping: { text } });
    }
    assert.deepEqual(
      await opened.stored(),
      Array.from({ length: 4 }, () => ["it's", 5n]),
    );
    await assert.rejects(opened.ingest("5\n", { mapping: { name: "none" } }), {
      message: "Mapping of kind csv 'none' does not exist in database 'db'.",
    });
  });

  test("gives where and in which line a row was, and times since 1970", async () => {
    await using opened = await testIngestion({ ...TEXT, t: "datetime" });
    const transforms = JSON.stringify([
      { Column: "a", Properties: { Transform: "SourceLocation" } },
      { Column: "b", Properties: { Transform: "SourceLineNumber" } },
      { Column: "t", Properties: { Ordinal: 0, Transform: "DateTimeFromUnixSeconds" } },
    ]);
    const request = { mapping: { text: transforms }, sourceName: "f.csv" };
    await opened.ingest("0\n1767323045\n", request);
    assert.deepEqual(await opened.stored(), [
      ["f.csv", 1n, 621_355_968_000_000_000n],
      ["f.csv", 2n, DAY + 110_450_000_000n],
    ]);
    const other = JSON.stringify([{ Column: "none", Properties: { Ordinal: 0 } }]);
    await assert.rejects(opened.ingest("0\n", { mapping: { text: other } }), {
      message: "The mapping names column 'none', which table 'T' has not.",
    });
  });
});

suite("requests", () => {
  test("that come together are committed together, and seen by the next query", async () => {
    await using opened = await testIngestion(TEXT);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(numbers.map((n) => opened.ingest(`x,${n}\n`)));
    assert.equal((await opened.stored()).length, 50);
    assert.equal(new Set(results.map(({ extentId }) => extentId)).size, 1);
    const [extent] = await listExtents(opened.catalog, { database: "db", table: "T" });
    assert.equal(extent?.rows, 50n);
  });

  test("with tags or a time have an extent of their own", async () => {
    await using opened = await testIngestion(TEXT);
    const options = { tags: ["ingest-by:1"], creationTime: DAY };
    const small = await opened.ingest("x,1\n", options);
    const large = await opened.ingest(`x,1\n${LARGE}`, { ...options, tags: [] });
    const found = await listExtents(opened.catalog, { database: "db", table: "T" });
    const shown = found.map(({ id, tags, createdOn, originalSize }) => ({
      id,
      tags,
      createdOn,
      originalSize,
    }));
    const expected = [
      { id: small.extentId, tags: ["ingest-by:1"], createdOn: DAY, originalSize: 0n },
      { id: large.extentId, tags: [], createdOn: DAY, originalSize: BigInt(LARGE.length + 4) },
    ];
    assert.deepEqual(
      shown.toSorted((a, b) => Number(a.originalSize - b.originalSize)),
      expected,
    );
  });

  test("of nothing have no extent, and those for no table are refused", async () => {
    await using opened = await testIngestion(TEXT);
    assert.deepEqual(await opened.ingest(""), {
      extentId: undefined,
      rows: 0,
      skipped: 0,
      size: 0,
    });
    await assert.rejects(opened.ingest("x", { table: "t" }), {
      message: "Table 't' does not exist in database 'db'.",
    });
  });

  test("go on while the columns of their table change", async () => {
    await using opened = await testIngestion(TEXT);
    const place = { database: "db", table: "T" };
    const columns = [
      { name: "b", type: "long" },
      { name: "c", type: "string" },
      { name: "a", type: "string" },
    ] as const;
    await opened.ingest("x,1\n");
    await Promise.all([
      opened.ingest(`y,2\n${LARGE}`),
      alterTable(opened.catalog, { ...place, columns }),
    ]);
    await opened.ingest("3,d,z\n");
    await opened.ingest(`4,e,w\n${LARGE}`);
    const rows = await opened.stored();
    assert.deepEqual(rows.at(0), [1n, "", "x"]);
    assert.deepEqual(rows.slice(-2), [
      [3n, "d", "z"],
      [4n, "e", "w"],
    ]);
  });

  test("that are given up leave nothing", async () => {
    await using opened = await testIngestion(TEXT);
    const controller = new AbortController();
    controller.abort(new Error("gave up"));
    const { signal } = controller;
    for (const data of ["x,1\n", `x,1\n${LARGE}`]) {
      await assert.rejects(opened.ingest(data, { signal }), /gave up/u);
    }
    assert.deepEqual(await opened.stored(), []);
    assert.deepEqual(await readdir(opened.catalog.sql.landingDir), []);
  });
});

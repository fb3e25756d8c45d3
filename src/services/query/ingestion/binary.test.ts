import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import avro from "avsc";
import { withConnection } from "../catalog/catalog.ts";
import { testIngestion, type TestIngestion } from "./ingestion.fixture.ts";

const COLUMNS = { a: "string", b: "long", t: "datetime", j: "dynamic" } as const;
const TIME = 639_029_088_000_000_000n + 110_451_230_000n;

/** The bytes of a Parquet file that holds what a query gives. */
async function parquet({ catalog }: TestIngestion, select: string): Promise<Uint8Array> {
  const path = join(catalog.sql.landingDir, "made.parquet");
  await withConnection(catalog.sql, (connection) =>
    connection.run(`copy (${select}) to '${path}' (format parquet)`),
  );
  return await readFile(path);
}

suite("Parquet", () => {
  test("gives columns by their names and converts their types", async () => {
    await using opened = await testIngestion({
      ...COLUMNS,
      i: "int",
      r: "real",
      d: "decimal",
      x: "bool",
      g: "guid",
      s: "string",
      none: "string",
    });
    const bytes = await parquet(
      opened,
      `select 'x' as a, 7::hugeint as b, timestamp '2026-01-02 03:04:05.123' as t,
        {'k': [1, 2]} as j, 3.7::double as i, 1::tinyint as r, 1.25::decimal(9, 2) as d,
        true as x, '74BE27DE-1E4E-49D9-B579-FE0B331D3642' as g, [1, 2] as s, 1 as other
      union all by name select null as a`,
    );
    assert.equal((await opened.ingest(bytes, { format: "parquet" })).rows, 2);
    const guid = "74be27de-1e4e-49d9-b579-fe0b331d3642";
    assert.deepEqual(await opened.stored(), [
      ["x", 7n, TIME, { k: [1, 2] }, 3, 1, "1.25", true, guid, "[1,2]", ""],
      ["", null, null, null, null, null, null, null, null, "", ""],
    ]);
  });

  test("is mapped by fields and paths", async () => {
    await using opened = await testIngestion(COLUMNS);
    const text = JSON.stringify([
      { column: "a", Properties: { Field: "A column" } },
      { column: "b", Properties: { Path: "$.s.k[1]" } },
      { column: "t", Properties: { Path: "$.ms", Transform: "DateTimeFromUnixMilliseconds" } },
      { column: "j", Properties: { Path: "$.bytes", Transform: "BytesAsBase64" } },
    ]);
    const bytes = await parquet(
      opened,
      `select 'x' as "A column", {'k': [1, 2]} as s, 1767323045123 as ms, 'abc'::blob as bytes`,
    );
    await opened.ingest(bytes, { format: "parquet", mapping: { text } });
    assert.deepEqual(await opened.stored(), [["x", 2n, TIME, "YWJj"]]);
    await assert.rejects(opened.ingest("a,b", { format: "parquet" }), {
      kind: "malformed",
      message: "This is not a Parquet file.",
    });
  });
});

/** The bytes of an Avro container. */
async function container(schema: avro.Schema, records: readonly unknown[]): Promise<Uint8Array> {
  const encoder = new avro.streams.BlockEncoder(schema, { codec: "deflate" });
  for (const record of records) encoder.write(record);
  encoder.end();
  const chunks: Buffer[] = [];
  for await (const chunk of encoder) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

suite("Avro", () => {
  const schema: avro.Schema = {
    type: "record",
    name: "r",
    fields: [
      { name: "a", type: ["null", "string"] },
      { name: "b", type: "long" },
      { name: "t", type: { type: "long", logicalType: "timestamp-millis" } },
      { name: "j", type: { type: "map", values: "double" } },
      { name: "bytes", type: "bytes" },
      { name: "d", type: { type: "bytes", logicalType: "decimal", precision: 9, scale: 2 } },
    ],
  };
  const records = [
    {
      a: "x",
      b: 4_503_599_627_370_497,
      t: 1_767_323_045_123,
      j: { k: 1.5 },
      bytes: Buffer.from("abc"),
      d: Buffer.from([0xff, 0x85]),
    },
    { a: null, b: 2, t: 0, j: {}, bytes: Buffer.alloc(0), d: Buffer.from([5]) },
  ];

  test("gives fields by their names", async () => {
    await using opened = await testIngestion({ ...COLUMNS, d: "decimal" });
    const bytes = await container(schema, records);
    assert.equal((await opened.ingest(bytes, { format: "avro" })).rows, 2);
    assert.deepEqual(await opened.stored(), [
      ["x", 4_503_599_627_370_497n, TIME, { k: 1.5 }, "-1.23"],
      ["", 2n, 621_355_968_000_000_000n, {}, "0.05"],
    ]);
  });

  test("is mapped by fields and paths", async () => {
    await using opened = await testIngestion(COLUMNS);
    const text = JSON.stringify([
      { column: "a", Properties: { Field: "bytes", Transform: "BytesAsBase64" } },
      { column: "b", Properties: { Path: "$.j.k" } },
    ]);
    const bytes = await container(schema, records.slice(0, 1));
    await opened.ingest(bytes, { format: "ApacheAvro", mapping: { text } });
    assert.deepEqual(await opened.stored(), [["YWJj", 1n, null, null]]);
  });

  test("tells of what is no container, or ends too early", async () => {
    await using opened = await testIngestion(COLUMNS);
    const bytes = await container(schema, records);
    const wrong = new Map<string | Uint8Array, string>([
      ["a,b", "Row 1: this is not Avro: it does not begin as a container does."],
      [bytes.subarray(0, -1), "Row 1: this is not Avro: the data ends too early."],
      [bytes.subarray(0, 100), "Row 1: this is not Avro: the data ends too early."],
      [
        bytes.with(bytes.length - 1, 7),
        "Row 1: this is not Avro: a block does not end where it should.",
      ],
    ]);
    for (const [data, message] of wrong) {
      await assert.rejects(opened.ingest(data, { format: "avro" }), { kind: "malformed", message });
    }
    assert.deepEqual(await opened.stored(), []);
  });
});

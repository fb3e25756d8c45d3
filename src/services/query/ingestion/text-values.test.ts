import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { testDuckDb, patient } from "#engines/duckdb/duckdb.fixture.ts";
import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import { sqlText } from "#engines/duckdb/sql-text.ts";
import { fromDuckDb, toDuckDb } from "#engines/duckdb/values.ts";
import { KQL_TYPES, type KqlType, type KqlValue } from "#engines/kql/types.ts";
import { createDelimitedParser } from "./delimited-text.ts";
import { isoTicks } from "./iso-ticks.ts";
import { ingestionFunctions, sqlFromText } from "./text-sql.ts";
import { fromText } from "./text-values.ts";

/** What the SQL makes of texts. */
async function inSql(
  connection: DuckDbConnection,
  type: KqlType,
  texts: readonly string[],
): Promise<readonly KqlValue[]> {
  const values = texts.map((text, index) => `(${index}, ${sqlText(text)})`);
  const source = `(values ${values.join(", ")}) t(i, x)`;
  const sql = `select ${sqlFromText(type, "x")} from ${source} order by i`;
  return (await Array.fromAsync(connection.rows(sql, [{ name: "x", type }]))).flat(2);
}

const digits = fc.stringMatching(/^[+-]?\d{0,21}(?:\.\d{0,20})?(?:e[+-]?\d{1,2})?$/u);
const time = fc
  .date({ min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_000) })
  .filter((date) => !Number.isNaN(date.getTime()))
  .map((date) => date.toISOString());
const times = fc
  .tuple(time, fc.constantFrom("T", " "), fc.stringMatching(/^(?:\.\d{1,8})?(?:Z|\+02:00)?$/u))
  .map(([text, separator, end]) => text.slice(0, 19).replace("T", separator) + end);
const wrongTimes = fc.stringMatching(/^20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,7})?Z?)?$/u);
const json = fc.json().map((text) => text.replaceAll("\u0000", ""));
const almostJson = fc.constantFrom(
  '{"a":NaN}',
  "[1,2,]",
  '{"a": -Infinity}',
  "[inf]",
  "[1 ,2]",
  '{"a":1,"a":2}',
  "{a:1}",
  '{"a":1} x',
  "[01]",
  '["inf, nan"]',
);
const words = fc.constantFrom(
  "0000-01-01T00:00:00.000Z",
  "0000-12-31",
  "-001-01-01T00:00:00.000Z",
  "2026- 1-01T00:00:00.000Z",
  "2026-01-01T00:00:00.1 Z",
  "2026-01-01T00:00:00. 1Z",
  "2026-01-01T00:00:00.1+1Z",
  "2026-01-01T+1:00:00.000Z",
  "true",
  "FALSE",
  "t",
  "yes",
  "0x1F",
  "-0x8000000000000000",
  "9223372036854775808",
  "2147483648",
  "NaN",
  "-inf",
  "Infinity",
  "1_000",
  " 12 ",
  "1.02:03:04.5",
  "00:00:01",
  "1d",
  "74BE27DE-1E4E-49D9-B579-FE0B331D3642",
  "{74be27de1e4e49d9b579fe0b331d3642}",
  "",
  " ",
  "null",
);
const text = fc.oneof(digits, times, wrongTimes, json, almostJson, words, fc.string());

suite("text as a value", () => {
  test("is the same in SQL and in JavaScript", async () => {
    await using duckdb = await testDuckDb({ functions: ingestionFunctions });
    await using connection = await duckdb.sql.connect(patient);
    const texts = fc.array(text, { minLength: 20, maxLength: 60 });
    const property = fc.asyncProperty(fc.constantFrom(...KQL_TYPES), texts, async (type, some) => {
      const plain = some.map((one) => one.replaceAll("\u0000", "").toWellFormed());
      // As it is read again: a whole number of 17 digits has become a big integer by then.
      const expected = plain.map((one) => fromDuckDb(toDuckDb(fromText(type, one), type), type));
      assert.deepEqual(await inSql(connection, type, plain), expected);
    });
    await fc.assert(property, { numRuns: 80 });
  });

  test("is a datetime of seven digits", () => {
    const expected = 639_029_088_000_000_000n + 110_451_234_567n;
    assert.equal(isoTicks("2026-01-02T03:04:05.1234567Z"), expected);
    assert.equal(isoTicks("2026-02-30T03:04:05"), undefined);
    assert.equal(isoTicks("2026-01-02T24:00:00"), undefined);
    assert.equal(isoTicks("2026-00-20T00:00:00"), undefined);
  });
});

suite("a delimited text", () => {
  test("is split in the same way however it comes in parts", () => {
    const field = fc.stringMatching(/^[a"\n\r, ]{0,6}$/u);
    const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    const cuts = fc.array(fc.nat(60), { maxLength: 4 });
    const property = fc.property(rows, cuts, fc.constantFrom("\n", "\r\n"), (fields, at, end) => {
      const whole = fields.map((row) => row.map(quoted).join(",") + end).join("");
      const parser = createDelimitedParser({ delimiter: ",", hasEscapes: false });
      const borders = [0, ...at.toSorted((a, b) => a - b), whole.length];
      const parsed = borders
        .slice(1)
        .map((border, index) => parser.push(whole.slice(borders[index], border), false));
      parsed.push(parser.push("", true));
      assert.deepEqual(
        parsed.flatMap(({ records }) => records.map((record) => record.fields)),
        fields,
      );
      assert.deepEqual(
        parsed.flatMap(({ bad }) => bad),
        [],
      );
    });
    fc.assert(property);
  });
});

function quoted(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KqlError } from "#engines/kql/kql-error.ts";
import { dataSetOf, tableOf, writing, written, X } from "./protocol.fixture.ts";
import { writeV1 } from "./v1.ts";

interface Tables {
  readonly Tables: readonly { TableName: string; Columns: unknown; Rows: unknown[][] }[];
  readonly Exceptions?: readonly string[];
}

async function tables(...chunks: readonly (readonly string[] | Error)[]): Promise<Tables> {
  const { json } = await written(writeV1(dataSetOf(tableOf(X, chunks)), writing()));
  return json as Tables;
}

suite("version 1 of the protocol", () => {
  test("answers with result, visualization, status and table of contents", async () => {
    const { Tables } = await tables(["[1]"], ["[2]"]);
    assert.deepEqual(
      Tables.map(({ TableName }) => TableName),
      ["Table_0", "Table_1", "Table_2", "Table_3"],
    );
    assert.deepEqual(Tables[0], {
      TableName: "Table_0",
      Columns: [{ ColumnName: "x", DataType: "Int64", ColumnType: "long" }],
      Rows: [[1], [2]],
    });
    assert.deepEqual(
      Tables[3]?.Rows.map((row) => row.slice(0, 3)),
      [
        [0, "QueryResult", "PrimaryResult"],
        [1, "QueryProperties", "@ExtendedProperties"],
        [2, "QueryStatus", "QueryStatus"],
      ],
    );
  });

  test("tells errors after the first row among the rows", async () => {
    const { Tables, Exceptions } = await tables(["[1]"], new KqlError("runtime", "It broke."));
    assert.deepEqual(Tables[0]?.Rows, [[1], { Exceptions: ["It broke."] }]);
    assert.deepEqual(Exceptions, ["It broke."]);
    assert.deepEqual(Tables[2]?.Rows[0]?.slice(1, 3), [2, "Error"]);
  });
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KqlError } from "#engines/kql/kql-error.ts";
import { ACTIVITY, dataSetOf, tableOf, writing, written, X } from "./protocol.fixture.ts";
import { writeV2 } from "./v2.ts";

interface Frame {
  readonly FrameType: string;
  readonly [field: string]: unknown;
}

async function framesOf(
  chunks: readonly (readonly string[] | Error)[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<Frame[]> {
  const { json } = await written(writeV2(dataSetOf(tableOf(X, chunks)), writing(options)));
  return json as Frame[];
}

function rowsOf(frame: Frame | undefined): unknown[][] {
  return (frame?.["Rows"] ?? []) as unknown[][];
}

const TOO_MANY =
  "Query execution has exceeded the allowed limits (80DA0003): Query result set has exceeded " +
  "the internal record count limit 2 (E_QUERY_RESULT_SET_TOO_LARGE; 0x80DA0003).";

suite("version 2 of the protocol", () => {
  test("answers with header, properties, rows, completion and end", async () => {
    const frames = await framesOf([["[1]", "[2]"], ["[9007199254740993]"]]);
    assert.deepEqual(
      frames.map(({ FrameType, TableKind }) => [FrameType, TableKind]),
      [
        ["DataSetHeader", undefined],
        ["DataTable", "QueryProperties"],
        ["DataTable", "PrimaryResult"],
        ["DataTable", "QueryCompletionInformation"],
        ["DataSetCompletion", undefined],
      ],
    );
    assert.deepEqual(frames[0], {
      FrameType: "DataSetHeader",
      IsProgressive: false,
      Version: "v2.0",
      IsFragmented: false,
      ErrorReportingPlacement: "InData",
    });
    assert.deepEqual(frames[4], {
      FrameType: "DataSetCompletion",
      HasErrors: false,
      Cancelled: false,
    });
  });

  test("keeps the digits of long numbers as they come", async () => {
    const { text } = await written(
      writeV2(dataSetOf(tableOf(X, [["[9007199254740993]"]])), writing()),
    );
    assert.match(text, /"Rows":\[\[9007199254740993\]\]/);
  });

  test("tells errors after the first row among the rows and at the end", async () => {
    const failure = new KqlError("runtime", "The cast has failed.");
    const frames = await framesOf([["[1]"], failure]);
    const rows = frames[2]?.["Rows"] as { OneApiErrors: { error: Record<string, unknown> }[] }[];
    assert.deepEqual(rows[0], [1]);
    const { error } = rows[1]?.OneApiErrors[0] ?? { error: {} };
    assert.deepEqual(
      [error["code"], error["@message"]],
      ["General_BadRequest", "The cast has failed."],
    );
    const end = frames.at(-1);
    assert.deepEqual([end?.["HasErrors"], end?.["OneApiErrors"]], [true, rows[1]?.OneApiErrors]);
  });

  test("cuts the result at the record limit and says so", async () => {
    const frames = await framesOf([["[1]", "[2]", "[3]"]], { truncationmaxrecords: 2 });
    const rows = frames[2]?.["Rows"] as unknown[];
    assert.deepEqual(rows.slice(0, 2), [[1], [2]]);
    assert.match(JSON.stringify(rows[2]), /"code":"LimitsExceeded"/);
    assert.ok(JSON.stringify(rows[2]).includes(TOO_MANY));
    assert.equal(frames.at(-1)?.["HasErrors"], true);
  });

  test("puts the failure into the completion when partial failures are deferred", async () => {
    const options = { truncationmaxrecords: 2, deferpartialqueryfailures: true };
    const frames = await framesOf([["[1]", "[2]", "[3]"]], options);
    assert.deepEqual(frames[2]?.["Rows"], [[1], [2]]);
    const [first] = rowsOf(frames[3]);
    assert.deepEqual(first?.slice(5, 8), [2, "Error", -2_133_196_797]);
    assert.equal(frames.at(-1)?.["HasErrors"], false);
  });

  test("leaves rows out without a word when a number of rows is taken", async () => {
    const frames = await framesOf([["[1]", "[2]"], ["[3]"]], { query_take_max_records: 2 });
    assert.deepEqual(frames[2]?.["Rows"], [[1], [2]]);
    assert.equal(frames.at(-1)?.["HasErrors"], false);
  });

  test("writes fragments and a line per frame for clients that stream", async () => {
    const options = {
      results_v2_newlines_between_frames: true,
      results_v2_fragment_primary_tables: true,
      results_error_reporting_placement: "end_of_table",
      truncationmaxrecords: 2,
    };
    const dataSet = dataSetOf(tableOf(X, [["[1]"], ["[2]", "[3]"]]));
    const { text } = await written(writeV2(dataSet, writing(options)));
    const lines = text.split("\n");
    assert.equal(lines[0]?.[0], "[");
    assert.deepEqual(lines.slice(-2), ["]", ""]);
    const frames = lines.slice(0, -2).map((line) => JSON.parse(line.slice(1)) as Frame);
    assert.deepEqual(frames.map(({ FrameType, Rows }) => [FrameType, Rows]).slice(2), [
      ["TableHeader", undefined],
      ["TableFragment", [[1]]],
      ["TableFragment", [[2]]],
      ["TableCompletion", undefined],
      ["DataSetCompletion", undefined],
    ]);
    const [completion] = frames.slice(-2);
    assert.equal(completion?.["RowCount"], 2);
    assert.match(JSON.stringify(completion?.["OneApiErrors"]), /LimitsExceeded/);
  });

  test("reports progress only to those who ask for it", async () => {
    const frames = await framesOf([["[1]"]], { results_progressive_enabled: true });
    assert.deepEqual(
      frames.map(({ FrameType }) => FrameType),
      [
        "DataSetHeader",
        "DataTable",
        "TableHeader",
        "TableFragment",
        "TableProgress",
        "TableCompletion",
        "DataTable",
        "DataSetCompletion",
      ],
    );
  });

  test("names the visualization of each table", async () => {
    const plain = dataSetOf(tableOf(X, []), tableOf(X, []));
    const plans = [{ columns: X, visualization: { Visualization: "piechart" } }, { columns: X }];
    const { json } = await written(writeV2({ ...plain, plans }, writing()));
    const rows = (json as Frame[])[1]?.["Rows"] as [number, string, string][];
    assert.deepEqual(
      rows.map(([id, key, value]) => [
        id,
        key,
        (JSON.parse(value) as { Visualization: string | null }).Visualization,
      ]),
      [
        [1, "Visualization", "piechart"],
        [2, "Visualization", null],
      ],
    );
  });

  test("names the request in the completion", async () => {
    const frames = await framesOf([["[1]"]]);
    const [first] = rowsOf(frames[3]);
    const { activityId } = ACTIVITY;
    assert.deepEqual(first?.slice(0, 5), [
      "2026-01-02T03:04:05.6780000Z",
      "me;1",
      activityId,
      activityId,
      activityId,
    ]);
  });
});

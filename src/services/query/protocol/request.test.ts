import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Problem } from "#platform/problem.ts";
import { durationMs, timespanText } from "./durations.ts";
import { isCommand, parseRequest, TEXT_MAX } from "./request.ts";

const newId = () => "id";

function parsed(body: object, headers: Record<string, string> = {}) {
  return parseRequest({ db: "d", csl: "T", ...body }, headers, newId);
}

function refusal(body: unknown): string {
  try {
    parseRequest(body, {}, newId);
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.statusCode, 400);
    return error.message;
  }
  return "";
}

suite("a request", () => {
  test("has properties as an object, as JSON text, or none", () => {
    const properties = { Options: { truncationmaxrecords: 3 }, Parameters: { x: "5", y: true } };
    for (const sent of [properties, JSON.stringify(properties)]) {
      const { options, parameters } = parsed({ properties: sent });
      assert.deepEqual([options.truncationMaxRecords, parameters], [3, { x: "5", y: "true" }]);
    }
    assert.deepEqual(parsed({}).parameters, {});
    assert.deepEqual(parsed({ properties: null }).options.timeoutMs, undefined);
  });

  test("has its id from the header, the properties, or from here", () => {
    const properties = { ClientRequestId: "mine" };
    const headers = { "x-svc-client-request-id": "KNC.execute;1" };
    assert.equal(parsed({ properties }, headers).clientRequestId, "KNC.execute;1");
    assert.equal(parsed({ properties }).clientRequestId, "mine");
    assert.equal(parsed({}).clientRequestId, "unspecified;id");
  });

  test("is read-only by an option or by a header", () => {
    assert.equal(parsed({}).options.isReadOnly, false);
    assert.equal(parsed({}, { "x-svc-readonly": "true" }).options.isReadOnly, true);
    assert.equal(parsed({}, { "x-svc-readonly": "false" }).options.isReadOnly, false);
    const properties = { Options: { request_readonly: true } };
    assert.equal(parsed({ properties }).options.isReadOnly, true);
  });

  test("is refused with the field, the value and the limit", () => {
    assert.match(refusal([]), /not a JSON object/);
    assert.match(refusal({ db: "d" }), /csl, the text to run, is missing/);
    assert.match(refusal({ csl: " " }), /csl is empty/);
    assert.match(
      refusal({ csl: "x".repeat(TEXT_MAX + 1) }),
      /2000001 characters, more than 2000000/,
    );
    assert.match(refusal({ csl: "T", db: 7 }), /db is not a string/);
    assert.match(refusal({ csl: "T", properties: "{" }), /not JSON/);
    assert.match(refusal({ csl: "T", properties: { Options: 3 } }), /Options is not a JSON object/);
    const withOption = (name: string, value: unknown) =>
      refusal({ csl: "T", properties: { Options: { [name]: value } } });
    assert.match(withOption("servertimeout", "soon"), /servertimeout is "soon"/);
    assert.match(withOption("truncationmaxrecords", -1), /truncationmaxrecords is -1/);
    assert.match(withOption("notruncation", "maybe"), /notruncation is "maybe"/);
  });

  test("keeps options that have no effect here", () => {
    const properties = { Options: { Query_Fanout: "x", unheard_of: 1 } };
    assert.deepEqual(parsed({ properties }).options.all, { query_fanout: "x", unheard_of: 1 });
  });

  test("is a command when its first word begins with a dot", () => {
    assert.ok(isCommand("\n // why\n .show tables"));
    assert.ok(!isCommand("// .show tables\nT"));
  });
});

suite("time spans", () => {
  test("are read in the forms that clients send", () => {
    const spans: readonly (readonly [unknown, number])[] = [
      ["00:01:00.000", 60_000],
      ["0:01:00", 60_000],
      ["1 day, 0:00:00", 86_400_000],
      ["2 days, 1:00:00", 176_400_000],
      ["1.02:03:04.5", 93_784_500],
      ["00:04", 240_000],
      ["30s", 30_000],
      ["time(2m)", 120_000],
      [600_000_000, 60_000],
    ];
    for (const [text, ms] of spans) assert.equal(durationMs(text), ms, String(text));
    for (const text of ["", "x", "1:2:3:4", {}, -1]) assert.equal(durationMs(text), undefined);
  });

  test("are written with days and a fraction only where there are some", () => {
    assert.equal(timespanText(61_000), "00:01:01");
    assert.equal(timespanText(93_784_500), "1.02:03:04.5000000");
    assert.equal(timespanText(-0.5), "-00:00:00.0005000");
  });
});

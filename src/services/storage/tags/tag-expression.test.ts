import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { parseTagExpression, TagExpressionError, type Grammar } from "./tag-expression.ts";

const TAGS: Readonly<Record<string, string>> = { project: "atoll", "due date": "2026-11-21" };
const holds = (text: string, grammar: Grammar = "condition") =>
  parseTagExpression(text, grammar).holds((name) => TAGS[name]);

suite("an expression on tags", () => {
  test("compares values as text", () => {
    const outcomes = ["=", "<>", ">", ">=", "<", "<="].map((operator) =>
      ["atoll", "b", "a"].map((value) => holds(`project ${operator} '${value}'`)),
    );
    assert.deepEqual(outcomes, [
      [true, false, false],
      [false, true, true],
      [false, false, true],
      [true, false, true],
      [false, true, false],
      [true, true, false],
    ]);
    assert.equal(holds(`"due date">='2026-01-01' and "due date"<'2027-01-01'`), true);
  });

  test("takes a tag that is not there as different from all values", () => {
    const outcomes = ["=", "<>", ">", "<"].map((operator) => holds(`other ${operator} 'a'`));
    assert.deepEqual(outcomes, [false, true, false, false]);
    assert.equal(holds("constructor <> 'a'"), true);
  });

  test("binds AND before OR, and brackets before both", () => {
    assert.equal(holds("project = 'atoll' OR other = 'a' AND other = 'b'"), true);
    assert.equal(holds("(project = 'atoll' OR other = 'a') AND other = 'b'"), false);
    const names = parseTagExpression("(a = '1' OR b = '2') AND a <> '3'", "condition").names;
    assert.deepEqual([...names], ["a", "b"]);
  });

  test("of a search knows the container, and neither OR nor <>", () => {
    const search = parseTagExpression("@container = 'logs' AND project = 'atoll'", "search");
    assert.equal(
      search.holds((name) => ({ ...TAGS, "@container": "logs" })[name]),
      true,
    );
    for (const text of ["a = '1' OR b = '2'", "a <> '1'", "@other = '1'"]) {
      assert.throws(() => parseTagExpression(text, "search"), TagExpressionError);
    }
    assert.throws(() => holds("@container = 'logs'"), TagExpressionError);
  });

  test("is refused when it is none", () => {
    const none = ["", "a", "a =", "a = b", "= 'a'", "'a' = 'a'", "a = 'b' c", "(a = 'b'", "a = 'b"];
    const more = ["a = 'b')", "a == 'b'", "a = 'b' AND", "; drop", "a".repeat(5000)];
    for (const text of [...none, ...more]) {
      assert.throws(() => holds(text), TagExpressionError, text);
    }
    const terms = (count: number) => Array.from({ length: count }, () => "a <> 'b'").join(" AND ");
    assert.equal(holds(terms(11)), true);
    assert.throws(() => holds(terms(12)), TagExpressionError);
    assert.throws(() => holds(`${"(".repeat(100)}a = 'b'`), TagExpressionError);
  });
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { Problem } from "#platform/problem.ts";
import type { QueryOptions } from "./ast.ts";
import { parseFilter } from "./expressions.ts";
import { parseOptions } from "./options.ts";

const OPTIONS = [
  "$filter",
  "$select",
  "$expand",
  "$orderby",
  "$top",
  "$count",
  "$apply",
  "$search",
];

/** Pieces that queries are made of, so that random ones get far. */
const PIECES = [
  "a",
  "b/c",
  "$it",
  "$count",
  "any(",
  "all(x:",
  "x/a",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ";",
  "/",
  "=",
  "'",
  "''",
  '"',
  "'t'",
  "1",
  "-1.5e3",
  "1e999",
  "-",
  "null",
  "true",
  "@p",
  " ",
  " eq ",
  " ne ",
  " and ",
  " or ",
  "not ",
  " in ",
  " add ",
  " mod ",
  " has ",
  "contains(",
  "Microsoft.Dynamics.CRM.In(",
  "PropertyName=",
  "2026-01-31",
  "2026-01-31T10:20:30Z",
  "00000000-0000-4000-8000-0000000000b1",
  "$select=",
  "$expand=",
  "$filter=",
  "$top=",
  " desc",
  " asc",
  "groupby((",
  "aggregate(",
  " with sum as ",
  "filter(",
  " AND ",
  " OR ",
  "NOT ",
  "%",
  "_",
  "\\",
  "\0",
  "é",
  "🙂",
  "\ud800",
  "--",
  "/*",
];

const random = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join("")),
  fc.string({ maxLength: 60, unit: "binary" }),
);

suite("the text of a query", () => {
  test("is read with its precedence, and with the places of its parts", () => {
    const literal = (value: string, at: number) => ({ kind: "literal", type: "number", value, at });
    const path = (name: string, at: number) => ({ kind: "path", segments: [name], at });
    assert.deepEqual(parseFilter("a eq 1 add 2 mul 3 or not b and c"), {
      kind: "or",
      operands: [
        {
          kind: "comparison",
          operator: "eq",
          left: path("a", 0),
          right: {
            kind: "math",
            operator: "add",
            left: literal("1", 5),
            right: {
              kind: "math",
              operator: "mul",
              left: literal("2", 11),
              right: literal("3", 17),
              at: 13,
            },
            at: 7,
          },
          at: 2,
        },
        {
          kind: "and",
          operands: [{ kind: "not", operand: path("b", 26), at: 25 }, path("c", 32)],
          at: 21,
        },
      ],
      at: 0,
    });
  });

  test("keeps the options of nested expansions apart", () => {
    const query = new Map([
      ["$expand", "a($select=x,y;$expand=b($filter=c eq ';)';$top=2);$count=true),d/$ref"],
    ]);
    const { expand }: QueryOptions = parseOptions(query);
    assert.deepEqual(
      expand.map(({ path, isReference, options, written }) => [
        path,
        isReference,
        options.select,
        options.count,
        options.expand.map((inner) => [inner.path, inner.options.top]),
        [...written],
      ]),
      [
        [
          ["a"],
          false,
          ["x", "y"],
          true,
          [[["b"], 2]],
          [
            ["$select", "x,y"],
            ["$expand", "b($filter=c eq ';)';$top=2)"],
            ["$count", "true"],
          ],
        ],
        [["d"], true, undefined, false, [], []],
      ],
    );
  });

  test("is refused where it ends to make sense", () => {
    const cases = [
      ["a eq 'b", "Unterminated text at position 5 in $filter 'a eq 'b'."],
      ["(a eq 1", "Expected ')' at position 7 in $filter '(a eq 1'."],
      ["a eq 1 b", "Syntax error at position 7 in $filter 'a eq 1 b'."],
      ["a eq 1 eq 2", "Syntax error at position 7 in $filter 'a eq 1 eq 2'."],
      ["a in ()", "Expected a value at position 6 in $filter 'a in ()'."],
      [
        "a/some(x:x)",
        "Expected any or all instead of some at position 7 in $filter 'a/some(x:x)'.",
      ],
      ["f(a eq 1", "Expected ')' at position 8 in $filter 'f(a eq 1'."],
    ] as const;
    for (const [text, message] of cases) {
      assert.throws(() => parseFilter(text), { statusCode: 400, code: "0x80060888", message });
    }
    const deep = `${"(".repeat(41)}a${")".repeat(41)}`;
    assert.throws(() => parseFilter(deep), /nested more than 40 deep/);
    assert.throws(() => parseFilter("a eq 1 and ".repeat(501)), /more than 500 conditions/);
    assert.throws(() => parseFilter(`a eq '${"x".repeat(8001)}'`), /8001 characters, at most 8000/);
  });

  test("never does anything but being read or refused", () => {
    fc.assert(
      fc.property(fc.constantFrom(...OPTIONS), random, (option, text) => {
        try {
          parseOptions(new Map([[option, text]]));
        } catch (error) {
          assert.ok(error instanceof Problem, `${option}=${text}: ${String(error)}`);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test("takes no longer than its length allows", () => {
    const hostile = [
      "(",
      "a/",
      "a(",
      "not ",
      "'",
      "[",
      "-",
      "a eq 1 or ",
      "x".repeat(9),
      "1.",
      "a/any(x:",
    ];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(32_768 / piece.length));
      const start = performance.now();
      assert.doesNotThrow(() => readOrRefused(text));
      const took = performance.now() - start;
      assert.ok(took < 200, `${piece} took ${took} ms`);
    }
  });
});

function readOrRefused(text: string): void {
  try {
    parseFilter(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

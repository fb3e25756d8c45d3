import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as check, constantFrom, property, string } from "fast-check";
import { KqlError } from "../../../kql-error.ts";
import { runProgram } from "./machine.ts";
import { nativePattern } from "./native.ts";
import { parsePattern } from "./parse-pattern.ts";
import { compileProgram } from "./program.ts";
import { compileRegex } from "./regex.ts";

function all(source: string, text: string): string[] {
  return [...compileRegex(source).matches(text)].map(({ groups }) => groups[0] ?? "");
}

void suite("a regular expression", () => {
  test("matches leftmost, preferring the first alternative", () => {
    assert.deepEqual(all("a|ab", "abab"), ["a", "a"]);
    assert.deepEqual(all("ab|a", "aba"), ["ab", "a"]);
    assert.deepEqual(all("a+?", "aaa"), ["a", "a", "a"]);
    assert.deepEqual(all("a{2}", "aaaaa"), ["aa", "aa"]);
    assert.deepEqual(all("a*", "baac"), ["", "aa", ""]);
  });

  test("captures by number and by name", () => {
    const regex = compileRegex("(?P<key>\\w+)=(\\d+)?");
    assert.deepEqual(regex.groups, [undefined, "key", undefined]);
    assert.deepEqual(regex.match("x=12")?.groups, ["x=12", "x", "12"]);
    assert.deepEqual(regex.match("x=")?.groups, ["x=", "x", ""]);
    assert.deepEqual(compileRegex("(?:(a)|b)*").match("ab")?.groups, ["ab", "a"]);
  });

  test("knows Unicode", () => {
    assert.deepEqual(all("\\d", "ＡＢ１２"), ["１", "２"]);
    assert.deepEqual(all("\\w+", "naïve_Ünï 字"), ["naïve_Ünï", "字"]);
    assert.deepEqual(all("\\p{Greek}+|\\pN", "αβγ5x"), ["αβγ", "5"]);
    assert.deepEqual(all("\\bé\\b", "é née"), ["é"]);
    assert.deepEqual(all(".", "a😀b"), ["a", "😀", "b"]);
  });

  test("obeys flags, also for a part", () => {
    assert.deepEqual(all("(?i)ab", "AB aB"), ["AB", "aB"]);
    assert.deepEqual(all("a(?i:b)c", "aBc aBC"), ["aBc"]);
    assert.deepEqual(all("(?m)^x$", "x\nx"), ["x", "x"]);
    assert.deepEqual(all("(?s)a.b", "a\nb"), ["a\nb"]);
    assert.deepEqual(all("(?U)a+", "aa"), ["a", "a"]);
    assert.deepEqual(all("(?x) a b # both", "ab"), ["ab"]);
  });

  test("has classes with operators", () => {
    assert.deepEqual(all("[a-z&&[^aeiou]]+", "hello"), ["h", "ll"]);
    assert.deepEqual(all("[0-9--4]+", "34567"), ["3", "567"]);
    assert.deepEqual(all("[[:alpha:]_]+", "a_1b"), ["a_", "b"]);
    assert.deepEqual(all("[]a-]+", "x]-ay"), ["]-a"]);
    assert.deepEqual(all("[^\\s,]+", "a b,c"), ["a", "b", "c"]);
    assert.deepEqual(all("[;,|-]", "x;y,z|w-"), [";", ",", "|", "-"]);
  });

  test("is refused with the reason when it is not valid", () => {
    for (const source of [
      "(",
      ")",
      "[a",
      "*a",
      "a{2,1}",
      "\\",
      "(?=a)",
      "\\p{Nope}",
      "[z-a]",
      "\\q",
    ]) {
      assert.throws(() => compileRegex(source), KqlError, source);
    }
    assert.throws(() => compileRegex("((a{1000}){1000})").match("a"), /too large/);
  });

  test("takes no longer for expressions that make others explode", () => {
    const text = `${"a".repeat(5000)}!`;
    assert.deepEqual(compileRegex("^(a+)+$").match(text), null);
    assert.deepEqual(compileRegex("(a|aa)*(a|aa)*b").match(text.slice(0, 500)), null);
  });

  test("is refused once its search takes too long", () => {
    const search = () => compileRegex("(a?){500}b").match("a".repeat(100_000));
    assert.throws(search, /too long/);
  });

  test("agrees with JavaScript where the two languages are one", () => {
    const atom = constantFrom("a", "b", "[ab]", ".", "(?:a|b)", "a?", "b*", "(?:ab)+", "a{1,2}");
    check(
      property(
        array(atom, { maxLength: 5 }),
        string({ unit: constantFrom("a", "b", "c") }),
        (atoms, text) => {
          const source = atoms.join("");
          const expected = new RegExp(source, "v").exec(text);
          assert.deepEqual(
            compileRegex(source).match(text)?.groups[0] ?? null,
            expected?.[0] ?? null,
          );
        },
      ),
    );
  });

  test("finds the same by both of its matchers", () => {
    const atom = constantFrom(
      "a",
      "(b)",
      "[^a]+",
      ".*?",
      "(?i:B)?",
      "(a|bc)",
      "\\b",
      "\\B",
      "^",
      "$",
      "(?m:^)",
      "\\w{1,2}",
      "(c*)",
      "\\>",
    );
    check(
      property(
        array(atom, { maxLength: 5 }),
        string({ unit: constantFrom("a", "b", "c", "\n", "é") }),
        (atoms, text) => {
          const pattern = parsePattern(atoms.join(""));
          const native = nativePattern(pattern);
          assert.ok(native !== null);
          native.expression.lastIndex = 0;
          const found = native.expression.exec(text);
          const positions = runProgram(compileProgram(pattern), text, 0);
          const groups = pattern.groups.map((_, at) => {
            const [start = -1, end = -1] = positions?.slice(at * 2, at * 2 + 2) ?? [];
            return start < 0 || end < 0 ? undefined : text.slice(start, end);
          });
          assert.deepEqual(positions === null ? null : groups, found === null ? null : [...found]);
        },
      ),
    );
  });

  test("goes through a long text with many matches in one go", () => {
    assert.equal(all("[aeiou]", "a word or two, ".repeat(20_000)).length, 100_000 - 20_000);
    assert.equal(all("[aeiou]", `😀${"word, ".repeat(5000)}`).length, 5000);
  });

  test("has no fast matcher for repetitions in repetitions", () => {
    for (const source of ["(a+)+", "(?:a|b)*", "(?:(a)|b){2}", "(?:a?){9}"]) {
      assert.equal(nativePattern(parsePattern(source)), null, source);
    }
  });
});

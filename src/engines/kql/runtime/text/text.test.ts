import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assert as check, property, string } from "fast-check";
import { callerOf } from "../call-function.ts";
import { textFunctions } from "./index.ts";

const call = callerOf(textFunctions);

void suite("counting and finding", () => {
  test("counts plain matches with overlap and regular expressions without", () => {
    assert.equal(call("countof", "The cat sat on the mat", "at"), 3n);
    assert.equal(call("countof", "aaaa", "aa"), 3n);
    assert.equal(call("countof", "ababa", "aba", "normal"), 2n);
    assert.equal(call("countof", "ababa", "aba", "regex"), 1n);
    assert.equal(call("countof", "abcabc", "a.c", "regex"), 2n);
    assert.throws(() => call("countof", "a", "a", "other"), /normal/);
  });

  test("finds a match of a regular expression by its number, within characters", () => {
    assert.equal(call("indexof_regex", "abcabc", "a.c"), 0n);
    assert.equal(call("indexof_regex", "abcabcdefg", "a.c", 0n, 9n, 2n), 3n);
    assert.equal(call("indexof_regex", "abcabc", "a.c", 1n, -1n, 2n), -1n);
    assert.equal(call("indexof_regex", "ababaa", "a.a", 0n, -1n, 2n), -1n);
    assert.equal(call("indexof_regex", "abcabc", "a|ab", -1n), null);
    assert.equal(call("indexof_regex", "😀a", "a"), 1n);
  });

  test("finds an occurrence of a text by its number, within characters", () => {
    assert.equal(call("indexof", "abcdefg", "cde", 1n, 4n), 2n);
    assert.equal(call("indexof", "abcdefg", "cde", 1n, 2n), -1n);
    assert.equal(call("indexof", "abcdefg", "cde", -5n), 2n);
    assert.equal(call("indexof", "abcdefgabcdefg", "cde", 1n, 10n, 2n), 9n);
    assert.equal(call("indexof", "abcdefgabcdefg", "cde", 1n, -1n, 3n), -1n);
    assert.equal(call("indexof", "😀a", "a"), 1n);
  });

  test("finds which of several terms a text has", () => {
    const text = "this is an example";
    assert.equal(call("has_any_index", text, ["this", "example"]), 0n);
    assert.equal(call("has_any_index", text, ["not", "Example"]), 1n);
    assert.equal(call("has_any_index", text, ["not", "exam"]), -1n);
    assert.equal(call("has_any_index", "Example number 2", [1, 2, 3]), 1n);
    assert.equal(call("has_any_index", "", ["not"]), -1n);
    assert.equal(call("has_any_index", text, []), -1n);
  });
});

void suite("replacing", () => {
  test("puts groups where the rewrite names them", () => {
    assert.equal(
      call("replace_regex", "Number is 1", String.raw`is (\d+)`, String.raw`was: \1`),
      "Number was: 1",
    );
    assert.equal(
      call("replace_regex", "one two", String.raw`(\w)(\w)`, String.raw`\2\1`),
      "noe wto",
    );
    assert.equal(
      call("replace_regex", "a-b-c", String.raw`(\w+)`, String.raw`[\0]`),
      "[a]-[b]-[c]",
    );
    assert.equal(call("replace", "a", "b", "aa"), "bb");
    assert.equal(call("replace_regex", "abc", "x*", "-"), "-a-b-c-");
  });

  test("replaces several texts, but not in replacements", () => {
    assert.equal(call("replace_strings", "a.b.c", [".", "b"], ["-", "$&"]), "a-$&-c");
    assert.equal(call("replace_strings", "ab", ["a", "b"], ["b", "c"]), "bc");
    assert.throws(() => call("replace_strings", "a", ["a"], []), /1 and 0/);
  });

  test("translates characters one by one", () => {
    assert.equal(call("translate", "abc", "x", "abc"), "xxx");
    assert.equal(call("translate", "abc", "", "ab"), "");
    assert.equal(call("translate", "krasp", "otsku", "spark"), "kusto");
  });

  test("quotes what has a meaning in a regular expression", () => {
    assert.equal(call("regex_quote", "(so$me.Te^xt)"), String.raw`\(so\$me\.Te\^xt\)`);
    check(
      property(string({ unit: "binary" }), (text) => {
        assert.equal(call("replace_regex", text, call("regex_quote", text), ""), "");
      }),
    );
  });
});

void suite("extracting", () => {
  const id = "82b8be2d-dfa7-4bd1";

  test("gives the groups of each match", () => {
    assert.deepEqual(call("extract_all", String.raw`([\da-f]{2})`, "82b8-be"), ["82", "b8", "be"]);
    assert.deepEqual(call("extract_all", String.raw`(\w)(\w+)(\w)`, id), [
      ["8", "2b8be2", "d"],
      ["d", "fa", "7"],
      ["4", "bd", "1"],
    ]);
    assert.deepEqual(call("extract_all", String.raw`(\w)(\w+)(\w)`, [1, 3], id), [
      ["8", "d"],
      ["d", "7"],
      ["4", "1"],
    ]);
    assert.deepEqual(call("extract_all", String.raw`(?P<first>\w)\w+(\w)`, ["first"], id), [
      "8",
      "d",
      "4",
    ]);
    assert.deepEqual(call("extract_all", String.raw`([a-z])(\d)?`, "a1b"), [
      ["a", "1"],
      ["b", ""],
    ]);
  });

  test("is null without a match and refused without a group", () => {
    assert.equal(call("extract_all", "([;,])", "single"), null);
    assert.throws(() => call("extract_all", "a", "a"), /group/);
    assert.throws(() => call("extract_all", "(a)", [2], "a"), /no group 2/);
  });
});

void suite("making text", () => {
  test("repeats, joins and reverses", () => {
    assert.equal(call("strrep", "ABC", 2n), "ABCABC");
    assert.equal(call("strrep", "123", 3n, "."), "123.123.123");
    assert.equal(call("strrep", "a", 0n), "");
    assert.equal(call("strrep", "a", 5000n), "a".repeat(1024));
    assert.equal(call("strcat_delim", "-", "1", "2", "A"), "1-2-A");
    assert.equal(call("reverse", "Kusto😀"), "😀otsuK");
  });

  test("goes to code points and back", () => {
    assert.deepEqual(call("unicode_codepoints_from_string", "Kü😀"), [75, 252, 0x1f600]);
    assert.equal(call("make_string", [75, 117, 115], 116, 111), "Kusto");
    assert.equal(call("make_string", 75, 0x110000), "K");
    check(
      property(string({ unit: "grapheme" }), (text) => {
        const codePoints = call("unicode_codepoints_from_string", text);
        assert.equal(call("unicode_codepoints_to_string", codePoints), text);
      }),
    );
  });

  test("splits command lines as Windows does", () => {
    assert.deepEqual(call("parse_command_line", 'echo "hello world!" ""', "windows"), [
      "echo",
      "hello world!",
      "",
    ]);
    assert.deepEqual(call("parse_command_line", String.raw`a\\b "c\"d" e\\"f g"`, "windows"), [
      String.raw`a\\b`,
      'c"d',
      String.raw`e\f g`,
    ]);
    assert.equal(call("parse_command_line", "echo", "bash"), null);
  });

  test("writes sizes", () => {
    assert.equal(call("format_bytes", 564), "564 Bytes");
    assert.equal(call("format_bytes", 10332, 1n), "10.1 KB");
    assert.equal(call("format_bytes", 20010332), "19 MB");
    assert.equal(call("format_bytes", 20010332, 2n), "19.08 MB");
    assert.equal(call("format_bytes", 20010332, 0n, "KB"), "19541 KB");
    assert.equal(call("format_bytes", 1, 0n, "pebble"), "");
  });
});

void suite("punycode", () => {
  test("encodes text and domains", () => {
    assert.equal(call("punycode_from_string", "académie-française"), "acadmie-franaise-npb1a");
    assert.equal(call("punycode_to_string", "acadmie-franaise-npb1a"), "académie-française");
    assert.equal(
      call("punycode_domain_to_string", "Lê Lợi。Thuận Thiên。com"),
      "xn--L Li-gpa4517b.xn--Thun Thin-s4a7194f.com",
    );
    assert.equal(
      call("punycode_domain_from_string", "xn--Ry-lja8c.xn--Jng-uta63a.xn--Bng-9ka.com"),
      "Rúyì.Jīngū.Bàng.com",
    );
    assert.equal(call("punycode_to_string", "a-!"), "");
  });

  test("reads back what it wrote", () => {
    check(
      property(string({ unit: "grapheme", maxLength: 20 }), (text) => {
        assert.equal(call("punycode_to_string", call("punycode_from_string", text)), text);
      }),
    );
  });
});

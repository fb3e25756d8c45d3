import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as check, jsonValue, property, string } from "fast-check";
import { callerOf } from "../call-function.ts";
import { dynamicFunctions } from "../dynamic/index.ts";
import { parsingFunctions } from "./index.ts";
import { parseJsonPath } from "./json-path.ts";

const call = callerOf([...parsingFunctions, ...dynamicFunctions]);

void suite("JSON text", () => {
  test("is read with all its digits, and is a string when it is no JSON", () => {
    assert.deepEqual(call("parse_json", '{"a":[1,2.5,true,null]}'), { a: [1, 2.5, true, null] });
    assert.equal(call("parse_json", "9223372036854775807"), 9223372036854775807n);
    assert.equal(call("parse_json", "1e400"), Number.POSITIVE_INFINITY);
    assert.equal(call("parse_json", ""), null);
    assert.equal(call("parse_json", " "), " ");
    assert.equal(call("todynamic", "not json"), "not json");
    assert.equal(call("parse_json", "{'a': 'b'}"), "{'a': 'b'}");
    check(
      property(jsonValue({ maxDepth: 2 }), (value) => {
        const [text, plain] = [JSON.stringify(value), JSON.parse(JSON.stringify(value))];
        const read = call("parse_json", text);
        assert.equal(call("dynamic_to_json", read), call("dynamic_to_json", plain));
      }),
    );
  });

  test("is asked by path", () => {
    const text = '{"name":"John","deep":{"a b":[10,{"x":null}]}}';
    assert.equal(call("extract_json", "$.name", text), "John");
    assert.equal(call("extract_json", "$.deep['a b'][0]", text), "10");
    assert.equal(call("extract_json", "$.deep", text), '{"a b":[10,{"x":null}]}');
    assert.equal(call("extract_json", "$.none", text), "");
    assert.equal(call("extract_json", "$.name", "{"), "");
    assert.equal(call("extract_json", "name", text), "");
    assert.deepEqual(parseJsonPath("$"), []);
    assert.deepEqual(parseJsonPath("$.a[-1].b"), ["a", -1, "b"]);
  });
});

void suite("CSV text", () => {
  test("gives the fields of its first record", () => {
    assert.deepEqual(call("parse_csv", "record1,a,b,c\nrecord2,x,y,z"), ["record1", "a", "b", "c"]);
    assert.deepEqual(
      call("parse_csv", 'aa,"b,b,b",cc,"Escaping quotes: ""Title""","line1\nline2"'),
      ["aa", "b,b,b", "cc", 'Escaping quotes: "Title"', "line1\nline2"],
    );
    assert.deepEqual(call("parse_csv", ",a,"), ["", "a", ""]);
    check(
      property(array(string(), { minLength: 1 }), (fields) => {
        const text = fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(",");
        assert.deepEqual(call("parse_csv", text), fields);
      }),
    );
  });
});

void suite("XML text", () => {
  test("becomes a bag", () => {
    const cases = [
      ["<e/>", { e: null }],
      ["<e>text</e>", { e: "text" }],
      ['<e name="value" />', { e: { "@name": "value" } }],
      ['<e name="value">text</e>', { e: { "@name": "value", "#text": "text" } }],
      ["<e> <a>text</a> <b>text</b> </e>", { e: { a: "text", b: "text" } }],
      ["<e> <a>text</a> <a>text</a> </e>", { e: { a: ["text", "text"] } }],
      ["<e> text <a>text</a> </e>", { e: { "#text": "text", a: "text" } }],
      ['<?xml version="1.0"?><!-- x --><e>&lt;&#65;&#x42;&amp;</e>', { e: "<AB&" }],
    ] as const;
    for (const [xml, expected] of cases) assert.deepEqual(call("parse_xml", xml), expected, xml);
  });

  test("is null when it is not well-formed", () => {
    for (const xml of [
      "",
      "text",
      "<a>",
      "<a></b>",
      "<a/><b/>",
      "</a>",
      "<a b=c/>",
      "<a><",
      "<a/>x",
    ]) {
      assert.equal(call("parse_xml", xml), null, xml);
    }
    assert.equal(call("parse_xml", `<a>${"x".repeat(1_048_576)}</a>`), null);
    assert.equal(call("parse_xml", "<!--".repeat(200_000)), null);
  });
});

void suite("URLs, paths and versions", () => {
  test("come apart", () => {
    const url = "scheme://username:password@host:1234/this/is/a/path?k1=v1&k2=v2#fragment";
    assert.deepEqual(call("parse_url", url), {
      Scheme: "scheme",
      Host: "host",
      Port: "1234",
      Path: "/this/is/a/path",
      Username: "username",
      Password: "password",
      "Query Parameters": { k1: "v1", k2: "v2" },
      Fragment: "fragment",
    });
    assert.deepEqual(call("parse_urlquery", "view=vs-2019&preserve=a=b"), {
      "Query Parameters": { view: "vs-2019", preserve: "a=b" },
    });
  });

  test("of files have a directory, a name and a stream", () => {
    const parts = (path: string) => Object.values(Object(call("parse_path", path)));
    assert.deepEqual(parts(String.raw`C:\temp\file.txt`), [
      "",
      "C:",
      String.raw`C:\temp`,
      "temp",
      "file.txt",
      "txt",
      "",
    ]);
    assert.deepEqual(parts(String.raw`temp\file.txt`), [
      "",
      "",
      "temp",
      "temp",
      "file.txt",
      "txt",
      "",
    ]);
    assert.deepEqual(parts("file://C:/temp/file.txt:some.exe"), [
      "file",
      "C:",
      "C:/temp",
      "temp",
      "file.txt",
      "txt",
      "some.exe",
    ]);
    assert.deepEqual(parts("/usr/lib/file.txt.gz"), [
      "",
      "",
      "/usr/lib",
      "lib",
      "file.txt.gz",
      "gz",
      "",
    ]);
  });

  test("compare as numbers", () => {
    assert.equal(call("parse_version", "0.0.0.5"), "0.000000000000000005");
    assert.equal(call("parse_version", "1.2.3.4"), "1000000.020000000300000004");
    assert.equal(call("parse_version", "1"), "1000000");
    for (const text of ["", "1.2.3.4.5", "1.x", "123456789"])
      assert.equal(call("parse_version", text), null);
  });
});

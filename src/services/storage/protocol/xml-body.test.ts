import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Problem } from "#platform/problem.ts";
import { childOf, childText, parseXml } from "./xml-body.ts";

function refusal(document: string): string {
  try {
    parseXml(document);
    return "";
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.code;
  }
}

suite("XML of requests", () => {
  test("is read with comments, references, attributes and CDATA", () => {
    const root = parseXml(
      '\uFEFF<?xml version="1.0"?>\n<!-- one --><a x="1"><b> &lt;&#65;&#x42;&amp; </b><c/>' +
        "<b><![CDATA[<raw>&]]></b></a>\n",
    );
    assert.deepEqual(root, {
      name: "a",
      text: "",
      children: [
        { name: "b", text: " <AB& ", children: [] },
        { name: "c", text: "", children: [] },
        { name: "b", text: "<raw>&", children: [] },
      ],
    });
    assert.equal(childText(root, "b"), "<AB&");
    assert.equal(childOf(root, "d"), undefined);
  });

  test("is refused when it is not well formed, too deep, or declares entities", () => {
    const broken = ["", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>text", "<a b></a>"];
    const entities = ["<a>&x;</a>", "<a>& </a>", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'];
    for (const document of [...broken, ...entities, "<a>".repeat(17) + "</a>".repeat(17)]) {
      assert.equal(refusal(document), "InvalidXmlDocument", document);
    }
  });
});

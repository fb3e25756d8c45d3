import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { suite, test } from "node:test";
import { expand, formatCurl, type TourRequest } from "./curl.ts";

const variables = { URL: "http://127.0.0.1/a b", TOKEN: 'it\'s "x"', ID: "7" };

/** The words that `sh` makes of a command, with `curl` replaced by what prints its arguments. */
function words(request: TourRequest): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${formatCurl(request)}`;
  const output = execFileSync("sh", ["-c", script], { encoding: "utf8", env: variables });
  return output.split("\0").slice(0, -1);
}

suite("a call as curl", () => {
  test("is what sh makes of it: variables replaced, all else literal", () => {
    const request: TourRequest = {
      method: "POST",
      url: "$URL/x?$filter=id%20eq%20'$ID'",
      headers: { Authorization: "Bearer $TOKEN", Plain: '`a` "b" \\' },
      json: { id: "$ID", text: "it's" },
    };
    assert.deepEqual(words(request), [
      "-sS",
      "-X",
      "POST",
      "http://127.0.0.1/a b/x?$filter=id%20eq%20'7'",
      "-H",
      'Authorization: Bearer it\'s "x"',
      "-H",
      'Plain: `a` "b" \\',
      "-H",
      "Content-Type: application/json",
      "--data-binary",
      '{"id":"7","text":"it\'s"}',
    ]);
    const { url } = request;
    const filled = expand(url, new Map(Object.entries(variables)));
    assert.equal(filled, "http://127.0.0.1/a b/x?$filter=id%20eq%20'7'");
  });

  test("sends forms encoded, and a length where there is no body", () => {
    const form = words({ method: "POST", url: "$URL", form: { secret: "$TOKEN" } });
    assert.deepEqual(form.slice(4), ["--data-urlencode", 'secret=it\'s "x"']);
    assert.deepEqual(words({ method: "PUT", url: "/a" }).slice(4), ["-H", "Content-Length: 0"]);
    assert.deepEqual(words({ method: "GET", url: "/a" }), ["-sS", "/a"]);
  });

  test("refers to no variable that the tour does not know", () => {
    assert.throws(() => expand("$NOBODY", new Map()), /no variable NOBODY/);
  });
});

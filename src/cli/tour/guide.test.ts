import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { startLoopback } from "../../../test/support/loopback.ts";
import { createGuide } from "./guide.ts";

/** A server that makes tokens, and refuses what is forbidden. */
function startServer() {
  return startLoopback(({ line }) => {
    if (line === "POST /token") return { status: 200, body: { access_token: "s3cret", url: "u" } };
    return {
      status: line.endsWith("/forbidden") ? 403 : 200,
      headers: { location: "/things/7?x" },
    };
  });
}

function tour(url: string) {
  const shown: string[] = [];
  const guide = createGuide({
    variables: new Map([["URL", url]]),
    suffix: "1",
    show: (text) => shown.push(text),
  });
  return { guide, text: () => shown.join("\n") };
}

suite("the guide of the tour", () => {
  test("keeps a token for later calls and never shows it", async () => {
    await using server = await startServer();
    const { guide, text } = tour(server.url);
    const [method, keep] = ["POST" as const, { TOKEN: "access_token" }];
    await guide.call({ title: "A token.", method, url: "$URL/token", keep, expect: [200] });
    const headers = { Authorization: "Bearer $TOKEN" };
    await guide.call({ title: "Use it.", method: "GET", url: "$URL/a", headers, expect: [200] });
    assert.equal(server.received[1]?.authorization, "Bearer s3cret");
    assert.doesNotMatch(text(), /s3cret/);
    assert.deepEqual(guide.steps[0], {
      title: "A token.",
      method: "POST",
      url: "$URL/token",
      status: 200,
      answer: { access_token: "$TOKEN", url: "u" },
    });
  });

  test("undoes in reverse what it has done, also when a step fails", async () => {
    await using server = await startServer();
    const { guide } = tour(server.url);
    const keepHeader = { THING: "location" };
    await guide.call({ title: "", method: "PUT", url: "$URL/a", keepHeader, expect: [200] });
    guide.later({ title: "", method: "DELETE", url: "$URL$THING", expect: [200] });
    guide.later({ title: "", method: "DELETE", url: "$URL/forbidden", expect: [200] });
    const refused = guide.call({ title: "", method: "GET", url: "$URL/forbidden", expect: [200] });
    await assert.rejects(refused, /answer was 403 where the tour expected 200/);
    await assert.rejects(guide.finish(), /403/);
    const lines = server.received.map(({ line }) => line);
    assert.deepEqual(lines.slice(2), ["DELETE /forbidden", "DELETE /things/7?x"]);
  });
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ACCOUNT, createAppendBlob, send, startStorage } from "../storage.fixture.ts";

suite("a source in another store that speaks the protocol", () => {
  test("is read with a token, its tags as well", async () => {
    const far = await startStorage();
    const origin = await far.app.listen({ host: "127.0.0.1", port: 0 });
    await send(far, "box?restype=container");
    const tags = { "x-svc-blob-type": "BlockBlob", "x-svc-tags": "state=done" };
    await send(far, "box/source", { headers: tags, body: "content" });
    const near = await startStorage();
    await createAppendBlob(near, "logs/a");
    const token = (name: string) => ({
      "x-svc-copy-source": `${origin}/${ACCOUNT}/box/source`,
      "x-svc-copy-source-authorization": `Bearer t.${name}`,
    });
    const append = (name: string) =>
      send(near, "logs/a?comp=appendblock", { headers: token(name) });
    assert.equal((await append("nobody")).code, "CannotVerifyCopySource");
    assert.equal((await append("reader")).status, 201);
    assert.equal((await send(near, "logs/a", { method: "GET" })).text, "content");

    const sync = { "x-svc-requires-sync": "true", "x-svc-copy-source-tag-option": "COPY" };
    const headers = { ...token("reader"), ...sync };
    assert.equal((await send(near, "logs/b", { headers })).status, 202);
    const { text } = await send(near, "logs/b?comp=tags", { method: "GET" });
    assert.match(text, /<Key>state<\/Key><Value>done<\/Value>/);
    await near.stop();
    await far.stop();
  });
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { send, startStorage } from "../storage.fixture.ts";

const BLOCK = { "x-svc-blob-type": "BlockBlob" };

suite("a listing of names that have waiting blocks only", () => {
  test("tells of them among the blobs, without content, until they are committed", async () => {
    const storage = await startStorage();
    await send(storage, "logs?restype=container");
    for (const name of ["a", "c/1", "e"]) {
      await send(storage, `logs/${name}`, { headers: BLOCK, body: "x" });
    }
    for (const name of ["b", "c/2", "e", "f"]) {
      await send(storage, `logs/${name}?comp=block&blockid=YQ==`, { body: "waiting" });
    }
    const list = async (query: string) => {
      const path = `logs?restype=container&comp=list${query}`;
      const { text } = await send(storage, path, { method: "GET" });
      const names = [...text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name);
      const next = /<NextMarker>(.*?)<\/NextMarker>/.exec(text)?.[1] ?? "";
      return { text, names: names.join(" "), next };
    };
    const all = "&include=uncommittedblobs";
    assert.equal((await list("")).names, "a c/1 e");
    const { text, names } = await list(all);
    assert.equal(names, "a b c/1 c/2 e f");
    const waiting = /<Blob><Name>b<\/Name>.*?<\/Blob>/.exec(text)?.[0] ?? "";
    assert.match(waiting, /<Etag><\/Etag><Content-Length>0<\/Content-Length>/);
    assert.match(waiting, /<BlobType>BlockBlob<\/BlobType>/);
    assert.equal((await list(`${all}&delimiter=/`)).names, "a b c/ e f");
    assert.equal((await list(`${all}&prefix=c`)).names, "c/1 c/2");

    const pages = [];
    let marker = "";
    do {
      const page = await list(`${all},snapshots&maxresults=2&marker=${marker}`);
      pages.push(page.names);
      marker = page.next;
    } while (marker !== "");
    assert.deepEqual(pages, ["a b", "c/1 c/2", "e f"]);

    const body = "<BlockList><Latest>YQ==</Latest></BlockList>";
    await send(storage, "logs/b?comp=blocklist", { body });
    assert.equal((await list("&prefix=b")).names, "b");
    assert.equal((await list(`&prefix=b${all}`)).names, "b");
    await storage.stop();
  });
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempDisposable, open, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { send, startStorage } from "../storage.fixture.ts";
import { verifyStorage, type Damage } from "../verify.ts";
import { keyHeaders } from "./encryption.fixture.ts";

const KIB = 1024;
const LIMIT_MS = 10_000;
const KEY = keyHeaders(Buffer.alloc(32, 3));
const BLOCK = { "x-svc-blob-type": "BlockBlob", ...KEY };

suite("what lies encrypted", () => {
  test("is verified without its key, and damage is never answered with", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-encrypted-"));
    const dir = folder.path;
    const location = { kind: "sqlite", file: join(dir, "storage.sqlite") } as const;
    const options = { dir, location, extentBytesMax: 64 * KIB };
    const first = await startStorage(options);
    await send(first, "data?restype=container");
    const [sound, damaged] = [randomBytes(30 * KIB), randomBytes(600 * KIB)];
    await send(first, "data/sound", { headers: BLOCK, body: sound });
    await send(first, "data/damaged", { headers: BLOCK, body: damaged });
    await first.stop();

    const found: Damage[] = [];
    const verify = () => verifyStorage({ location, dir, found: (one) => found.push(one) });
    assert.deepEqual(await verify(), { records: 2, bytes: 630 * KIB });
    assert.deepEqual(found, []);
    {
      await using file = await open(join(dir, "extents", "00000002.extent"), "r+");
      await file.write(Buffer.from("damage"), 0, 6, 599 * KIB);
    }
    await verify();
    assert.deepEqual(
      found.map(({ blob, start, length }) => [blob, start, length]),
      [["damaged", 0, 600 * KIB]],
    );

    const second = await startStorage(options);
    await assert.rejects(send(second, "data/damaged", { method: "GET", headers: KEY }));
    const got = await send(second, "data/sound", { method: "GET", headers: KEY });
    assert.ok(got.bytes.equals(sound));
    await second.stop();
  });

  test("is given back when it is deleted", async () => {
    const storage = await startStorage({ extentBytesMax: 64 * KIB });
    try {
      await send(storage, "data?restype=container");
      for (const name of ["a", "b", "c"]) {
        const body = randomBytes(50 * KIB);
        await send(storage, `data/${name}`, { headers: BLOCK, body });
      }
      const extents = async () => (await readdir(join(storage.dir, "extents"))).length;
      assert.equal(await extents(), 3);
      await send(storage, "data/a", { method: "DELETE" });
      const deadline = performance.now() + LIMIT_MS;
      while ((await extents()) > 2 && performance.now() < deadline) await wait(10);
      assert.equal(await extents(), 2);
      const kept = await send(storage, "data/b", { method: "GET", headers: KEY });
      assert.equal(kept.bytes.length, 50 * KIB);
    } finally {
      await storage.stop();
    }
  });
});

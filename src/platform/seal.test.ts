import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openSealer, SealError } from "./seal.ts";

const secret = Buffer.from("correct horse battery staple");

function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "atoll-seal-"));
}

function refused(sentence: RegExp) {
  return (error: unknown) => error instanceof SealError && sentence.test(error.message);
}

suite("sealing secrets", () => {
  test("opens after a restart what was sealed before it", async () => {
    const dir = join(await folder(), "data");
    const sealed = (await openSealer(dir)).seal(secret, "storage key");
    const opened = (await openSealer(dir)).open(sealed, "storage key");
    assert.deepEqual(Buffer.from(opened), secret);
    assert.equal(Buffer.from(sealed).includes(secret), false);
  });

  test("keeps an empty secret, and seals the same secret differently each time", async () => {
    const sealer = await openSealer(await folder());
    assert.equal(sealer.open(sealer.seal(Buffer.alloc(0), "p"), "p").length, 0);
    assert.notDeepEqual(sealer.seal(secret, "p"), sealer.seal(secret, "p"));
  });

  test("keeps one master key of 32 bytes for the owner only, and nothing else", async () => {
    const dir = await folder();
    await openSealer(dir);
    assert.deepEqual(await readdir(dir), ["master.key"]);
    const { mode, size } = await stat(join(dir, "master.key"));
    assert.deepEqual([(mode & 0o777).toString(8), size], ["600", 32]);
  });

  test("gives processes that start at the same time the same key", async () => {
    const dir = await folder();
    const sealers = await Promise.all(Array.from({ length: 8 }, () => openSealer(dir)));
    const sealed = sealers.map((sealer) => sealer.seal(secret, "p"));
    const late = await openSealer(dir);
    const opened = sealed.map((each) => Buffer.from(late.open(each, "p")));
    assert.deepEqual(opened, Array(8).fill(secret));
  });

  test("refuses any altered byte, a cut, and nothing at all", async () => {
    const sealer = await openSealer(await folder());
    const sealed = sealer.seal(secret, "p");
    for (const position of sealed.keys()) {
      const altered = Buffer.from(sealed);
      altered[position] = (altered[position] ?? 0) ^ 1;
      assert.throws(() => sealer.open(altered, "p"), refused(/altered/), `byte ${position}`);
    }
    assert.throws(() => sealer.open(sealed.subarray(0, -1), "p"), refused(/altered/));
    assert.throws(() => sealer.open(Buffer.alloc(0), "p"), refused(/cut short/));
  });

  test("refuses another purpose and another master key, without showing the secret", async () => {
    const sealer = await openSealer(await folder());
    const other = await openSealer(await folder());
    const sealed = sealer.seal(secret, "storage key");
    assert.throws(() => sealer.open(sealed, "token key"), refused(/\(token key\) does not open/));
    assert.throws(() => other.open(sealed, "storage key"), refused(/another master key/));
  });

  test("does not replace a damaged master key", async () => {
    const dir = await folder();
    await writeFile(join(dir, "master.key"), "short");
    await assert.rejects(openSealer(dir), refused(/has 5 bytes instead of 32/));
    assert.equal(await readFile(join(dir, "master.key"), "utf8"), "short");
  });
});

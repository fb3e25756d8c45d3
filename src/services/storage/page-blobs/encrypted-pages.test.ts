import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { send, startStorage } from "../storage.fixture.ts";
import { PAGE } from "./page-blobs.fixture.ts";

function keyHeaders(key: Buffer): Record<string, string> {
  return {
    "x-svc-encryption-key": key.toString("base64"),
    "x-svc-encryption-key-sha256": createHash("sha256").update(key).digest("base64"),
    "x-svc-encryption-algorithm": "AES256",
  };
}

suite("pages under a customer's key", () => {
  test("are written, cut, cleared and read with the key, and with no other", async () => {
    const storage = await startStorage();
    const key = keyHeaders(randomBytes(32));
    await send(storage, "disks?restype=container");
    const form = { "x-svc-blob-type": "PageBlob", "x-svc-blob-content-length": String(8 * PAGE) };
    await send(storage, "disks/a", { headers: { ...form, ...key } });
    const content = randomBytes(8 * PAGE);
    const write = (first: number, count: number, headers: Record<string, string>) =>
      send(storage, "disks/a?comp=page", {
        headers: {
          "x-svc-page-write": "update",
          range: `bytes=${first * PAGE}-${(first + count) * PAGE - 1}`,
          ...headers,
        },
        body: content.subarray(first * PAGE, (first + count) * PAGE),
      });
    assert.equal((await write(0, 6, key)).status, 201);
    content.fill("n", 2 * PAGE, 3 * PAGE);
    assert.equal((await write(2, 1, key)).status, 201);
    const refused = [await write(0, 1, {}), await write(0, 1, keyHeaders(randomBytes(32)))];
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      ["409 BlobUsesCustomerSpecifiedEncryption", "409 BlobCustomerSpecifiedEncryptionMismatch"],
    );
    content.fill(0, 4 * PAGE, 5 * PAGE).fill(0, 6 * PAGE);
    const clear = { "x-svc-page-write": "clear", range: `bytes=${4 * PAGE}-${5 * PAGE - 1}` };
    const cleared = await send(storage, "disks/a?comp=page", { headers: { ...clear, ...key } });
    assert.equal(cleared.status, 201);
    const whole = await send(storage, "disks/a", { method: "GET", headers: key });
    assert.ok(whole.bytes.equals(content));
    await storage.stop();
  });
});

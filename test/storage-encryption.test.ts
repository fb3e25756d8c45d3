import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { keyHeaders } from "#services/storage/encryption/encryption.fixture.ts";
import { send, startStorage } from "#services/storage/storage.fixture.ts";
import { storeEngines } from "./support/stores.ts";

const LINE = "a sentence that is there again";
const APPEND = { "x-svc-blob-type": "AppendBlob" };
const LIST = "<BlockList><Latest>YQ==</Latest></BlockList>";

suite("encrypted content", () => {
  for (const { name, location } of storeEngines().filter((engine) => engine.lasting)) {
    test(`is there after a restart, waiting blocks with it, ${name}`, async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-restart-"));
      const options = { dir: folder.path, location: await location() };
      const key = keyHeaders(Buffer.alloc(32, 4));
      const first = await startStorage(options);
      await send(first, "data?restype=container");
      await send(first, "data/log", { headers: { ...APPEND, ...key } });
      await send(first, "data/log?comp=appendblock", { headers: key, body: LINE });
      await send(first, "data/list?comp=block&blockid=YQ==", { headers: key, body: LINE });
      await first.stop();
      const second = await startStorage(options);
      await send(second, "data/log?comp=appendblock", { headers: key, body: LINE });
      const refused = await send(second, "data/list?comp=blocklist", { body: LIST });
      assert.equal(refused.code, "BlobUsesCustomerSpecifiedEncryption");
      await send(second, "data/list?comp=blocklist", { headers: key, body: LIST });
      const texts = await Promise.all(
        ["log", "list"].map(async (blob) => {
          return (await send(second, `data/${blob}`, { method: "GET", headers: key })).text;
        }),
      );
      assert.deepEqual(texts, [LINE + LINE, LINE]);
      await second.stop();
    });
  }
});

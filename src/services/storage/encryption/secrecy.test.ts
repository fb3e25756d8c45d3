import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempDisposable, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { pino } from "pino";
import { send, startStorage } from "../storage.fixture.ts";
import { keyHeaders } from "./encryption.fixture.ts";

const LINE = "a sentence that is nowhere to be found on the disk";
const APPEND = { "x-svc-blob-type": "AppendBlob" };
const BLOCK = { "x-svc-blob-type": "BlockBlob" };
const LIST = "<BlockList><Latest>YQ==</Latest></BlockList>";

/** Every file below a folder that holds one of the texts, in any of the ways to write it. */
async function filesWith(dir: string, secrets: readonly Buffer[]): Promise<string[]> {
  const forms = secrets.flatMap((secret) => [
    secret,
    Buffer.from(secret.toString("base64")),
    Buffer.from(secret.toString("hex")),
  ]);
  const names = await readdir(dir, { recursive: true });
  const found: string[] = [];
  for (const name of names) {
    const path = join(dir, name);
    if (!(await stat(path)).isFile()) continue;
    const bytes = await readFile(path);
    if (forms.some((form) => bytes.includes(form))) found.push(name);
  }
  return found;
}

suite("what is encrypted with a customer's key", () => {
  test("is on the disk nowhere, nor is the key, nor in the log", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-secrecy-"));
    const dir = folder.path;
    const location = { kind: "sqlite", file: join(dir, "storage.sqlite") } as const;
    let log = "";
    const logger = pino({ level: "trace" }, { write: (line) => void (log += line) });
    const storage = await startStorage({ dir, location, log: logger });
    const secret = randomBytes(32);
    const key = keyHeaders(secret);
    await send(storage, "data?restype=container");
    await send(storage, "data/log", { headers: { ...APPEND, ...key } });
    await send(storage, "data/log?comp=appendblock", { headers: key, body: LINE });
    await send(storage, "data/put", { headers: { ...BLOCK, ...key }, body: LINE });
    const block = { headers: key, body: LINE };
    await send(storage, "data/list?comp=block&blockid=YQ==", block);
    await send(storage, "data/list?comp=blocklist", { headers: key, body: LIST });
    const broken = { ...key, "x-svc-encryption-algorithm": "none" };
    await send(storage, "data/log", { method: "GET", headers: broken });
    const { text } = await send(storage, "data/log", { method: "GET", headers: key });
    assert.equal(text, LINE);
    // While it runs, so that the write-ahead log is searched as well.
    const secrets = [secret, Buffer.from(LINE)];
    assert.deepEqual(await filesWith(dir, secrets), []);
    assert.deepEqual(await filesWith(dir, [Buffer.from("data")]), ["storage.sqlite-wal"]);
    await storage.stop();
    assert.deepEqual(await filesWith(dir, secrets), []);
    assert.equal(log.includes(secret.toString("base64")), false);
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { after, before, suite, test } from "node:test";
import { serviceSas } from "../access/signatures.fixture.ts";
import { ACCOUNT, createAppendBlob, ORIGIN, send, startStorage } from "../storage.fixture.ts";
import type { TestStorage } from "../storage.fixture.ts";

const TAGS_XML = "<Tags><TagSet><Tag><Key>far</Key><Value>yes</Value></Tag></TagSet></Tags>";
const LEASE_ID = "11111111-2222-3333-4444-555555555555";
const SYNC = { "x-svc-requires-sync": "true" };
const COPY_TAGS = { "x-svc-copy-source-tag-option": "COPY" };

suite("what a copy asks of its source", () => {
  let storage: TestStorage;
  let foreign: Server;
  let foreignUrl = "";
  const asked: IncomingHttpHeaders[] = [];

  before(async () => {
    storage = await startStorage();
    await send(storage, "box?restype=container");
    const headers = { "x-svc-blob-type": "BlockBlob", "x-svc-tags": "state=done&n=1" };
    await send(storage, "box/source", { headers, body: "content" });
    await createAppendBlob(storage, "box/log");
    foreign = createServer(({ url, headers: got }, response) => {
      asked.push(got);
      const tags = url?.includes("comp=tags") === true;
      if (tags && url?.includes("secret")) return response.writeHead(403).end();
      return response.end(tags ? TAGS_XML : "from afar");
    });
    foreign.listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const address = foreign.address();
    foreignUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  after(async () => {
    await storage.stop();
    foreign.closeAllConnections();
    foreign.close();
  });

  const own = (letters: string) =>
    `${ORIGIN}/${ACCOUNT}/box/source?${serviceSas(letters, "box/source")}`;
  const outcome = async (path: string, source: string, headers: Record<string, string> = {}) => {
    const all = { "x-svc-copy-source": source, ...headers };
    const { status, code } = await send(storage, path, { headers: all });
    return code === "" ? status : code;
  };
  const tagsOf = async (path: string) => {
    const { text } = await send(storage, `${path}?comp=tags`, { method: "GET" });
    return [...text.matchAll(/<Key>(.*?)<\/Key><Value>(.*?)<\/Value>/g)]
      .map(([, name, value]) => `${name}=${value}`)
      .join(" ");
  };

  test("is that its tags hold, which takes the right to read them", async () => {
    const holds = { "x-svc-source-if-tags": "state = 'done'" };
    const fails = { "x-svc-source-if-tags": "state = 'open'" };
    const log = "box/log?comp=appendblock";
    assert.deepEqual(
      [
        await outcome(log, own("rt"), holds),
        await outcome(log, own("rt"), fails),
        await outcome(log, own("r"), holds),
        await outcome("box/copy", own("rt"), { ...SYNC, ...fails }),
        await outcome("box/copy", own("rt"), { ...SYNC, ...holds }),
        await outcome(log, own("rt"), { "x-svc-source-if-tags": "state =" }),
      ],
      [
        201,
        "SourceConditionNotMet",
        "CannotVerifyCopySource",
        "SourceConditionNotMet",
        202,
        "InvalidHeaderValue",
      ],
    );
  });

  test("is a lease, where it names one", async () => {
    const acquire = {
      "x-svc-lease-action": "acquire",
      "x-svc-lease-duration": "-1",
      "x-svc-proposed-lease-id": LEASE_ID,
    };
    const source = own("r");
    const leased = { "x-svc-source-lease-id": LEASE_ID };
    const unleased = await outcome("box/leased", source, leased);
    await send(storage, "box/source?comp=lease", { headers: acquire });
    const other = { "x-svc-source-lease-id": LEASE_ID.replaceAll("1", "9") };
    assert.deepEqual(
      [
        unleased,
        await outcome("box/leased", source, other),
        await outcome("box/leased", source, { "x-svc-source-lease-id": "none" }),
        await outcome("box/leased", source, leased),
      ],
      ["CannotVerifyCopySource", "CannotVerifyCopySource", "InvalidHeaderValue", 202],
    );
  });

  test("are its tags, where they are to be copied", async () => {
    const put = { "x-svc-blob-type": "BlockBlob" };
    const both = { ...COPY_TAGS, "x-svc-tags": "a=b" };
    assert.deepEqual(
      [
        await outcome("box/tagged1", own("rt"), { ...SYNC, ...COPY_TAGS }),
        await outcome("box/tagged2", own("rt"), { ...put, ...COPY_TAGS }),
        await outcome("box/tagged3", own("r"), { ...SYNC, ...COPY_TAGS }),
        await outcome("box/tagged3", own("rt"), { ...SYNC, ...both }),
        await outcome("box/tagged3", own("rt"), { "x-svc-copy-source-tag-option": "KEEP" }),
        await outcome("box/tagged3", own("r"), {
          "x-svc-copy-source-tag-option": "REPLACE",
          "x-svc-tags": "a=b",
        }),
      ],
      [
        202,
        201,
        "CannotVerifyCopySource",
        "BothUserTagsAndSourceTagsCopyPresentException",
        "InvalidHeaderValue",
        202,
      ],
    );
    const expected = ["state=done n=1", "state=done n=1", "a=b"];
    const names = ["box/tagged1", "box/tagged2", "box/tagged3"];
    assert.deepEqual(await Promise.all(names.map(tagsOf)), expected);
  });

  test("is asked of another server in its own words", async () => {
    asked.length = 0;
    const headers = {
      ...SYNC,
      ...COPY_TAGS,
      "x-svc-source-if-tags": "a = 'b'",
      "x-svc-source-lease-id": LEASE_ID,
    };
    assert.equal(await outcome("box/far", `${foreignUrl}/a?sig=x`, headers), 202);
    assert.equal(await tagsOf("box/far"), "far=yes");
    const [content] = asked;
    assert.deepEqual(
      [content?.["x-ms-if-tags"], content?.["x-ms-lease-id"], asked.length],
      ["a = 'b'", LEASE_ID, 2],
    );
    const refused = await outcome("box/far", `${foreignUrl}/secret`, { ...SYNC, ...COPY_TAGS });
    assert.equal(refused, "CannotVerifyCopySource");
  });
});

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { serviceSas } from "../access/signatures.fixture.ts";
import { send, startStorage, TOKENS, type TestStorage } from "../storage.fixture.ts";

const BLOCK = { "x-svc-blob-type": "BlockBlob", "x-svc-blob-content-type": "text/plain" };
const NAMES = ["a", "a/1", "a/2", "b", "c/d/1", "c/d/2", "c0", "\u00e9", "\uffee", "\u{1f600}"];

suite("List Blobs", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await send(storage, "logs?restype=container");
    for (const name of NAMES) {
      const path = `logs/${encodeURIComponent(name)}`;
      await send(storage, path, {
        headers: { ...BLOCK, "x-svc-meta-Kind": "<x>" },
        body: "content",
      });
    }
  });
  after(() => storage.stop());

  const list = (query = "", container = "logs") =>
    send(storage, `${container}?restype=container&comp=list${query}`, { method: "GET" });
  const entriesOf = (text: string) =>
    [...text.matchAll(/<(Blob|BlobPrefix)><Name>(.*?)<\/Name>/g)].map(([, kind, name]) =>
      kind === "Blob" ? name : `${name}*`,
    );
  const names = async (query = "") => entriesOf((await list(query)).text);
  const nextOf = (text: string) => /<NextMarker>(.*)<\/NextMarker>/.exec(text)?.[1] ?? "";
  /** All pages of one entry each, or of more. */
  const pages = async (query: string, count = 1) => {
    const found: unknown[] = [];
    let marker = "";
    do {
      const { text } = await list(`${query}&maxresults=${count}&marker=${marker}`);
      found.push(...entriesOf(text));
      marker = nextOf(text);
    } while (marker !== "");
    return found;
  };

  test("tells names in the order of their bytes, and what each blob is", async () => {
    assert.deepEqual(await names(), NAMES);
    const got = await send(storage, "logs/b", { method: "HEAD" });
    const [etag, modified, md5] = ["etag", "last-modified", "content-md5"].map((name) =>
      String(got.headers[name]).replaceAll('"', ""),
    );
    const { text, headers } = await list("&prefix=b&include=metadata,tags,snapshots");
    assert.equal(headers["content-type"], "application/xml");
    const blob =
      `<Blob><Name>b</Name><Properties><Creation-Time>${modified}</Creation-Time>` +
      `<Last-Modified>${modified}</Last-Modified><Etag>${etag}</Etag>` +
      "<Content-Length>7</Content-Length><Content-Type>text/plain</Content-Type>" +
      "<Content-Encoding /><Content-Language />" +
      `<Content-MD5>${md5}</Content-MD5><Cache-Control />` +
      "<Content-Disposition /><BlobType>BlockBlob</BlobType>" +
      "<AccessTier>Hot</AccessTier><AccessTierInferred>true</AccessTierInferred>" +
      "<LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>" +
      "<ServerEncrypted>false</ServerEncrypted></Properties>" +
      "<Metadata><kind>&lt;x&gt;</kind></Metadata><OrMetadata /></Blob>";
    const root = 'ServiceEndpoint="http://localhost:80/testaccount1/" ContainerName="logs"';
    assert.equal(
      text,
      `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ${root}>` +
        `<Prefix>b</Prefix><Blobs>${blob}</Blobs><NextMarker /></EnumerationResults>`,
    );
  });

  test("shows one entry for all names up to a delimiter", async () => {
    const top = ["a", "a/*", "b", "c/*", ...NAMES.slice(6)];
    assert.deepEqual(await names("&delimiter=/"), top);
    assert.deepEqual(await names("&delimiter=/&prefix=a/"), ["a/1", "a/2"]);
    assert.deepEqual(await names("&delimiter=/&prefix=c"), ["c/*", "c0"]);
    assert.deepEqual(await names("&delimiter=/&prefix=c/"), ["c/d/*"]);
    assert.deepEqual(await names("&delimiter=/d&prefix="), [
      ...NAMES.slice(0, 4),
      "c/d*",
      ...NAMES.slice(6),
    ]);
    assert.deepEqual(await names("&prefix=none"), []);
  });

  test("goes on after each page where it stopped, prefixes counted", async () => {
    for (const count of [1, 2, 3, 10]) {
      assert.deepEqual(await pages("", count), NAMES);
      assert.deepEqual(await pages("&delimiter=/", count), await names("&delimiter=/"));
      assert.deepEqual(await pages("&prefix=a", count), ["a", "a/1", "a/2"]);
      assert.deepEqual(await pages("&delimiter=/&prefix=c", count), ["c/*", "c0"]);
    }
    const { text } = await list("&maxresults=2");
    assert.match(text, /<MaxResults>2<\/MaxResults>/);
    const marker = nextOf(text);
    assert.deepEqual(await names(`&prefix=b&marker=${marker}`), ["b"]);
    assert.match((await list("&maxresults=9999")).text, /<MaxResults>5000<\/MaxResults>/);
  });

  test("shows what has been written and not what has been deleted", async () => {
    await send(storage, "changes?restype=container");
    const put = (name: string) => send(storage, `changes/${name}`, { headers: BLOCK, body: "x" });
    const shown = async () => entriesOf((await list("", "changes")).text);
    await Promise.all(["1", "2", "3"].map(put));
    assert.deepEqual(await shown(), ["1", "2", "3"]);
    await send(storage, "changes/2", { method: "DELETE" });
    assert.deepEqual(await shown(), ["1", "3"]);
  });

  test("shows snapshots, copies, tags, leases and seals of those that have them", async () => {
    await send(storage, "known?restype=container");
    const tagged = { ...BLOCK, "x-svc-tags": "kind=log" };
    await send(storage, "known/a", { headers: tagged, body: "x" });
    const made = await send(storage, "known/a?comp=snapshot");
    const snapshot = String(made.headers["x-svc-snapshot"]);
    const source = "http://127.0.0.1:10000/testaccount1/known/a";
    const sas = serviceSas("r", "known/a");
    await send(storage, "known/b", { headers: { "x-svc-copy-source": `${source}?${sas}` } });
    const lease = { "x-svc-lease-action": "acquire", "x-svc-lease-duration": "-1" };
    await send(storage, "known/b?comp=lease", { headers: lease });
    await send(storage, "known/c", { headers: { "x-svc-blob-type": "AppendBlob" } });
    await send(storage, "known/c?comp=seal");
    const all = await list("&include=snapshots,copy,tags", "known");
    assert.deepEqual(entriesOf(all.text), ["a", "a", "b", "c"]);
    for (const part of [
      `<Blob><Name>a</Name><Snapshot>${snapshot}</Snapshot>`,
      "<TagCount>1</TagCount>",
      "<Tags><TagSet><Tag><Key>kind</Key><Value>log</Value></Tag></TagSet></Tags>",
      `<CopySource>${source}</CopySource><CopyStatus>success</CopyStatus>`,
      "<LeaseState>leased</LeaseState><LeaseDuration>infinite</LeaseDuration>",
      "<Sealed>true</Sealed>",
    ]) {
      assert.ok(all.text.includes(part), `${part} is not in ${all.text}`);
    }
    const found: unknown[] = [];
    let marker = "";
    do {
      const { text } = await list(`&include=snapshots&maxresults=1&marker=${marker}`, "known");
      found.push(...entriesOf(text));
      marker = nextOf(text);
    } while (marker !== "");
    assert.deepEqual(found, ["a", "a", "b", "c"]);
    const bare = await list("", "known");
    assert.deepEqual(entriesOf(bare.text), ["a", "b", "c"]);
    assert.ok(!bare.text.includes("<Copy"));
  });

  test("percent-encodes names that XML cannot hold", async () => {
    await send(storage, "odd?restype=container");
    await send(storage, "odd/a%01%EF%BF%BEb/c", { headers: BLOCK, body: "x" });
    await send(storage, "odd/a%26%3C%3E", { headers: BLOCK, body: "x" });
    const { text } = await list("", "odd");
    assert.ok(text.includes('<Name Encoded="true">a%01%EF%BF%BEb%2Fc</Name>'), text);
    assert.ok(text.includes("<Name>a&amp;&lt;&gt;</Name>"), text);
    assert.ok(
      (await list("&delimiter=/", "odd")).text.includes('<BlobPrefix><Name Encoded="true">'),
    );
  });

  test("refuses what is no page, by name and value", async () => {
    const refused: readonly (readonly [string, string, string])[] = [
      ["maxresults=0", "OutOfRangeQueryParameterValue", "maxresults"],
      ["maxresults=-1", "OutOfRangeQueryParameterValue", "maxresults"],
      ["maxresults=many", "InvalidQueryParameterValue", "maxresults"],
      ["include=metadata,all", "InvalidQueryParameterValue", "include"],
      ["include=Snapshots,all", "InvalidQueryParameterValue", "include"],
      ["marker=abc", "InvalidQueryParameterValue", "marker"],
      ["marker=WzFd", "InvalidQueryParameterValue", "marker"],
      ["prefix=%00", "InvalidQueryParameterValue", "prefix"],
    ];
    for (const [query, code, name] of refused) {
      const got = await list(`&${query}`);
      assert.deepEqual([query, got.status, got.code], [query, 400, code]);
      assert.ok(got.text.includes(`<QueryParameterName>${name}<`), got.text);
    }
    assert.equal((await list("", "none")).code, "ContainerNotFound");
  });

  test("is for those who may list", async () => {
    const path = "logs?restype=container&comp=list";
    const outcome = async (query: string, headers = {}) => {
      const got = await send(storage, path + query, { method: "GET", unsigned: true, headers });
      return [got.status, got.code];
    };
    const permission = [403, "AuthorizationPermissionMismatch"];
    assert.deepEqual(await outcome(`&${serviceSas("l", "logs")}`), [200, ""]);
    assert.deepEqual(await outcome(`&${serviceSas("r", "logs")}`), permission);
    assert.deepEqual(await outcome(""), [401, "NoAuthenticationInformation"]);
    const bearer = (id: string) => ({ authorization: `Bearer ${TOKENS[id] ?? ""}` });
    assert.deepEqual(await outcome("", bearer("reader")), [200, ""]);
    assert.deepEqual(await outcome("", bearer("nobody")), permission);
  });
});

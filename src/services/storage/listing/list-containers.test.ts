import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { accountSas } from "../access/signatures.fixture.ts";
import { send, startStorage, type TestStorage } from "../storage.fixture.ts";

suite("List Containers", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    for (const name of ["alpha", "beta", "beta2", "gamma"]) {
      const headers = { "x-svc-meta-owner": name, "x-svc-blob-public-access": "blob" };
      await send(storage, `${name}?restype=container`, { headers });
    }
  });
  after(() => storage.stop());

  const list = (query = "") => send(storage, `?comp=list${query}`, { method: "GET" });
  const namesOf = (text: string) =>
    [...text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name);

  test("tells names in order, and what each container is", async () => {
    const { headers } = await send(storage, "alpha?restype=container", { method: "HEAD" });
    const [modified, etag] = ["last-modified", "etag"].map((name) => String(headers[name]));
    const { text } = await list("&prefix=a&include=metadata");
    const container =
      `<Container><Name>alpha</Name><Properties>` +
      `<Last-Modified>${modified}</Last-Modified><Etag>${etag}</Etag>` +
      "<LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>" +
      "<PublicAccess>blob</PublicAccess>" +
      "<DefaultEncryptionScope>$account-encryption-key</DefaultEncryptionScope>" +
      "<DenyEncryptionScopeOverride>false</DenyEncryptionScopeOverride>" +
      "<HasImmutabilityPolicy>false</HasImmutabilityPolicy><HasLegalHold>false</HasLegalHold>" +
      "</Properties><Metadata><owner>alpha</owner></Metadata></Container>";
    const root = 'ServiceEndpoint="http://localhost:80/testaccount1/"';
    assert.equal(
      text,
      `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ${root}>` +
        `<Prefix>a</Prefix><Containers>${container}</Containers><NextMarker />` +
        "</EnumerationResults>",
    );
    assert.deepEqual(namesOf((await list()).text), ["alpha", "beta", "beta2", "gamma"]);
    assert.deepEqual(namesOf((await list("&prefix=beta")).text), ["beta", "beta2"]);
  });

  test("goes on after each page where it stopped", async () => {
    const found: unknown[] = [];
    let marker = "";
    do {
      const { text } = await list(`&maxresults=1&marker=${marker}`);
      found.push(...namesOf(text));
      marker = /<NextMarker>(.*)<\/NextMarker>/.exec(text)?.[1] ?? "";
    } while (marker !== "");
    assert.deepEqual(found, ["alpha", "beta", "beta2", "gamma"]);
  });

  test("is for account signatures of the service, and refuses what it does not know", async () => {
    const signed = async (srt: string, sp = "l") => {
      const path = `?comp=list&${accountSas(sp, srt)}`;
      return (await send(storage, path, { method: "GET", unsigned: true })).code;
    };
    assert.equal(await signed("s"), "");
    assert.equal(await signed("c"), "AuthorizationResourceTypeMismatch");
    assert.equal(await signed("s", "r"), "AuthorizationPermissionMismatch");
    assert.equal((await list("&include=snapshots")).code, "InvalidQueryParameterValue");
  });
});

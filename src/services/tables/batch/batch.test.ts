import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { required, SET, startTables, TABLE } from "../tables.fixture.ts";

const BASE = "http://localhost/api/data/v9.2";

/** A batch as clients write it: an empty line first, and no blank in the content type. */
function batch(...parts: readonly string[]) {
  const body = ["", ...parts.map((part) => `--batch_1\r\n${part}`), "--batch_1--", ""].join("\r\n");
  return { body, headers: { "content-type": "multipart/mixed;boundary=batch_1" } };
}

function changeSet(...requests: readonly string[]): string {
  const parts = requests.map(
    (request, at) =>
      "--changeset_1\r\nContent-Type: application/http\r\n" +
      `Content-Transfer-Encoding: binary\r\nContent-ID: ${at + 1}\r\n\r\n${request}`,
  );
  const type = "Content-Type: multipart/mixed;boundary=changeset_1\r\n";
  return [`${type}\r\n${parts.join("\r\n")}`, "--changeset_1--", ""].join("\r\n");
}

function post(url: string, body: object): string {
  return `POST ${url} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}`;
}

const get = (url: string) =>
  `Content-Type: application/http\r\n\r\nGET ${url} HTTP/1.1\r\nAccept: application/json\r\n`;

suite("a batch", () => {
  test("makes rows that refer to each other, and reads them", async () => {
    await using tables = await startTables();
    const row = { ...required, "svc_opportunity@odata.bind": "$1" };
    const set = changeSet(
      post(`${BASE}/opportunities`, { name: "One" }),
      post(`${BASE}/${SET}`, row),
    );
    const { status, text, headers } = await tables.ask(
      "POST",
      "/$batch",
      batch(set, get(`${BASE}/${SET}?$select=${TABLE}`)),
    );
    assert.equal(status, 200);
    assert.match(String(headers["content-type"]), /^multipart\/mixed; boundary=batchresponse_/);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), [
      "HTTP/1.1 204",
      "HTTP/1.1 204",
      "HTTP/1.1 200",
    ]);
    assert.match(text, /Content-ID: 2\r\n/);
    assert.match(text, /OData-EntityId: http:\/\/localhost[^\r]*\/opportunities\(/);
  });

  test("undoes a change set of which one request fails", async () => {
    await using tables = await startTables();
    const set = changeSet(
      post(`${BASE}/opportunities`, { name: "One" }),
      post(`${BASE}/opportunities`, { nome: "Two" }),
    );
    const { text } = await tables.ask("POST", "/$batch", batch(set));
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 400"]);
    assert.match(text, /The property 'nome' does not exist on opportunity/);
    assert.equal((await tables.ask("GET", "/opportunities/$count")).text, "0");
  });

  test("stops at the first part that fails, unless it is asked to go on", async () => {
    await using tables = await startTables();
    const asked = batch(get(`${BASE}/nowhere`), get(`${BASE}/WhoAmI`));
    const stopped = await tables.ask("POST", "/$batch", asked);
    assert.deepEqual(stopped.text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 404"]);
    const headers = { ...asked.headers, prefer: "odata.continue-on-error" };
    const all = await tables.ask("POST", "/$batch", { ...asked, headers });
    assert.deepEqual(all.text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 404", "HTTP/1.1 200"]);
  });

  test("is refused when it cannot be read or is too large", async () => {
    await using tables = await startTables();
    const many = batch(...Array.from({ length: 1001 }, () => get(`${BASE}/WhoAmI`)));
    const tooMany = await tables.ask("POST", "/$batch", many);
    assert.match(tooMany.message, /1001 requests; at most 1000/);
    const open = { ...batch(), body: "--batch_1\r\n" };
    assert.equal((await tables.ask("POST", "/$batch", open)).status, 400);
    const nested = await tables.ask("POST", "/$batch", batch(get(`${BASE}/$batch`)));
    assert.match(nested.text, /A batch holds another batch/);
  });
});

import assert from "node:assert/strict";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { suite, test } from "node:test";
import { PEOPLE, required, SET, startTables, TABLE, type TestTables } from "../tables.fixture.ts";

const LIMIT_MS = 20_000;

interface Told {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    MessageName: string;
    PrimaryEntityId: string;
    InputParameters: { key: string; value: Record<string, unknown> }[];
  };
}

/** A webhook that answers what `status` says; what it was told is in order. */
async function webhook(status: (told: Told) => number = () => 200) {
  const told: Told[] = [];
  const heard = Promise.withResolvers<void>();
  let wanted = Number.POSITIVE_INFINITY;
  const server = createServer((request, response) => {
    void hear(request, response);
  });
  async function hear(request: IncomingMessage, response: ServerResponse) {
    const { url = "", headers } = request;
    const one = { url, headers, body: await json(request) } as Told;
    response.writeHead(status(one)).end();
    told.push(one);
    if (told.length >= wanted) heard.resolve();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    told,
    url: `http://127.0.0.1:${port}/hook`,
    /** Waits until so many messages have come. */
    async count(number: number): Promise<readonly Told[]> {
      wanted = number;
      if (told.length >= number) heard.resolve();
      const signal = AbortSignal.timeout(LIMIT_MS);
      const late = once(signal, "abort").then(() => {
        throw new Error(`Only ${told.length} of ${number} messages have come.`);
      });
      await Promise.race([heard.promise, late]);
      return told;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function subscribe(tables: TestTables, url: string, step: object) {
  const endpoint = await tables.create("serviceendpoints", {
    name: "hook",
    url,
    contract: 8,
    authtype: 4,
    authvalue: "s3cret",
  });
  return tables.create("sdkmessageprocessingsteps", {
    name: "step",
    primaryobjecttypecode: TABLE,
    mode: 1,
    stage: 40,
    "eventhandler@odata.bind": `/serviceendpoints(${endpoint})`,
    ...step,
  });
}

suite("events", () => {
  test("are told to a webhook with what was written", async () => {
    await using hook = await webhook();
    await using tables = await startTables();
    await subscribe(tables, hook.url, { messagename: "Create" });
    const id = await tables.interaction({ svc_isdone: true });
    const [one] = await hook.count(1);
    assert.equal(one?.url, "/hook?code=s3cret");
    assert.deepEqual(
      [one.headers["x-ms-dynamics-request-name"], one.headers["x-ms-dynamics-entity-name"]],
      ["Create", TABLE],
    );
    assert.equal(one.body.PrimaryEntityId, id);
    const [target] = one.body.InputParameters;
    assert.equal(target?.key, "Target");
    const attributes = target.value["Attributes"] as { key: string; value: unknown }[];
    const valueOf = (name: string) => attributes.find(({ key }) => key === name)?.value;
    assert.deepEqual(
      [valueOf("svc_isdone"), valueOf("svc_topic")],
      [
        true,
        { __type: "OptionSetValue:http://schemas.microsoft.com/xrm/2011/Contracts", Value: 1 },
      ],
    );
  });

  test("come in order, and again until they are taken", async () => {
    let refusals = 2;
    await using hook = await webhook(() => (refusals-- > 0 ? 500 : 204));
    await using tables = await startTables();
    await subscribe(tables, hook.url, { messagename: "Update" });
    const url = `/${SET}(${await tables.interaction()})`;
    for (const svc_topic of [1, 2, 1]) await tables.ask("PATCH", url, { body: { svc_topic } });
    const told = await hook.count(5);
    const topics = told.map(({ body }) => {
      const attributes = body.InputParameters[0]?.value["Attributes"] as {
        value: { Value: number };
      }[];
      return attributes[0]?.value.Value;
    });
    assert.deepEqual(topics, [1, 1, 1, 2, 1]);
  });

  test("of one row are told as those of several, and the other way round", async () => {
    await using hook = await webhook();
    await using tables = await startTables();
    await subscribe(tables, hook.url, { messagename: "CreateMultiple" });
    await tables.interaction();
    const [one] = await hook.count(1);
    const entities = one?.body.InputParameters[0]?.value["Entities"] as unknown[];
    assert.deepEqual([one?.body.MessageName, entities.length], ["CreateMultiple", 1]);
  });

  test("can be stopped before anything has happened", async () => {
    await using hook = await webhook(() => 403);
    await using tables = await startTables();
    await subscribe(tables, hook.url, { messagename: "Create", mode: 0, stage: 20 });
    const { status, code, message } = await tables.ask("POST", `/${SET}`, { body: required });
    assert.deepEqual([status, code], [400, "0x80040265"]);
    assert.match(message, /The step step has stopped Create.*answered 403/);
    assert.equal((await tables.ask("GET", `/${SET}/$count`)).text, "0");
    assert.equal(hook.told.length, 1);
  });

  test("that were let pass happen to the row that was asked about", async () => {
    await using hook = await webhook();
    await using tables = await startTables();
    await subscribe(tables, hook.url, { messagename: "Create", mode: 0 });
    const id = await tables.interaction();
    assert.deepEqual(
      hook.told.map(({ body }) => body.PrimaryEntityId),
      [id],
    );
  });

  test("are directed by whoever may customize, and secrets are never shown", async () => {
    await using tables = await startTables();
    const body = { name: "hook", url: "http://127.0.0.1:1/", authvalue: "s3cret" };
    const denied = await tables.ask("POST", "/serviceendpoints", { body, who: "user" });
    assert.equal(denied.status, 403);
    const id = await tables.create("serviceendpoints", body);
    const { json: row, text } = await tables.ask("GET", `/serviceendpoints(${id})`);
    assert.equal(row["authvalue"], null);
    assert.equal(row["_createdby_value"], PEOPLE.admin);
    assert.ok(!text.includes("s3cret"));
  });
});

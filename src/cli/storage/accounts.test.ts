import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dataFolderWith, exampleEndpoints, runCli } from "../../../test/support/cli.ts";
import {
  startLoopback,
  type PlannedAnswer,
  type ReceivedRequest,
} from "../../../test/support/loopback.ts";

const ACCOUNTS =
  "/subscriptions/22222222-2222-8222-8222-222222222222/resourceGroups/local" +
  "/providers/Svc.Storage/storageAccounts";
const VERSION = "?api-version=2025-01-01";
const url = "http://127.0.0.1:10000/team1/";
const team = { name: "team1", properties: { primaryEndpoints: { blob: url } } };
const time = "2026-01-01T00:00:00.000Z";
const keys = ["key1", "key2"].map((keyName) => ({
  keyName,
  value: `${keyName}==`,
  permissions: "Full",
  creationTime: time,
}));

const ANSWERS: Readonly<Record<string, PlannedAnswer>> = {
  "POST /common/oauth2/token": { status: 200, body: { access_token: "t", expires_in: 1 } },
  [`GET ${ACCOUNTS}${VERSION}`]: { status: 200, body: { value: [team] } },
  [`GET ${ACCOUNTS}/team1${VERSION}`]: { status: 200, body: team },
  [`PUT ${ACCOUNTS}/team1${VERSION}`]: { status: 200, body: team },
  [`DELETE ${ACCOUNTS}/team1${VERSION}`]: { status: 200 },
  [`POST ${ACCOUNTS}/team1/listKeys${VERSION}`]: { status: 200, body: { keys } },
  [`POST ${ACCOUNTS}/team1/regenerateKey${VERSION}`]: { status: 200, body: { keys } },
};

function answer({ line }: ReceivedRequest): PlannedAnswer {
  const error = { code: "ResourceNotFound", message: "There is no such storage account." };
  return ANSWERS[line] ?? { status: 404, body: { error } };
}

/** Runs `atoll storage accounts ...`; also resolves to the requests after the one for a token. */
async function accounts(...argv: readonly string[]) {
  await using gateway = await startLoopback(answer);
  const at = { gateway: gateway.url, auth_url: gateway.url };
  await using folder = await dataFolderWith(exampleEndpoints(at));
  const result = await runCli(["storage", "accounts", ...argv, "--data", folder.path]);
  const requests = gateway.received.slice(1).map(({ line, body }) => `${line} ${body}`.trim());
  return { ...result, requests };
}

suite("atoll storage accounts", () => {
  test("lists accounts with where they answer", async () => {
    assert.equal((await accounts("list")).out, `NAME   URL\nteam1  ${url}`);
    const json: unknown = JSON.parse((await accounts("list", "-o", "json")).out);
    assert.deepEqual(json, [{ ...team, url }]);
  });

  test("makes and removes an account", async () => {
    const made = await accounts("add", "team1");
    assert.match(made.out, /^Made the account\.\n {2}name {2}team1\n {2}url {3}http/);
    const body = { location: "local", kind: "StorageV2", sku: { name: "Standard_RAGRS" } };
    const put = `PUT ${ACCOUNTS}/team1${VERSION} ${JSON.stringify(body)}`;
    assert.deepEqual(made.requests, [put]);
    const removed = await accounts("remove", "team1");
    assert.match(removed.out, /^Removed\./);
    assert.equal(removed.requests.at(-1), `DELETE ${ACCOUNTS}/team1${VERSION}`);
    const missing = await accounts("remove", "other");
    assert.equal(missing.code, 1);
    assert.match(missing.err, /no such storage account\. npx atoll storage accounts list shows/);
  });

  test("shows keys and replaces one", async () => {
    const shown = `KEY   VALUE   CREATED\nkey1  key1==  ${time}\nkey2  key2==  ${time}`;
    assert.equal((await accounts("keys", "team1")).out, shown);
    const { out, requests } = await accounts("regenerate-key", "team1", "key2");
    assert.equal(out, shown);
    const replace = `POST ${ACCOUNTS}/team1/regenerateKey${VERSION} {"keyName":"key2"}`;
    assert.deepEqual(requests, [replace]);
    const wrong = await accounts("regenerate-key", "team1", "key3");
    assert.deepEqual([wrong.code, wrong.requests], [1, []]);
  });
});

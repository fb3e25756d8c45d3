import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dataFolderWith, exampleEndpoints, runCli } from "../../../test/support/cli.ts";
import {
  startLoopback,
  type PlannedAnswer,
  type ReceivedRequest,
} from "../../../test/support/loopback.ts";

const SCOPES =
  "/subscriptions/22222222-2222-8222-8222-222222222222/resourceGroups/local" +
  "/providers/Svc.Storage/storageAccounts/team1/encryptionScopes";
const VERSION = "?api-version=2025-01-01";
const time = "2026-01-01T00:00:00.000Z";
const scope = (state: string) => ({ name: "secret", properties: { state, creationTime: time } });

const ANSWERS: Readonly<Record<string, PlannedAnswer>> = {
  "POST /common/oauth2/token": { status: 200, body: { access_token: "t", expires_in: 1 } },
  [`GET ${SCOPES}${VERSION}`]: { status: 200, body: { value: [scope("Enabled")] } },
  [`PUT ${SCOPES}/secret${VERSION}`]: { status: 201, body: scope("Enabled") },
  [`PATCH ${SCOPES}/secret${VERSION}`]: { status: 200, body: scope("Disabled") },
};

function answer({ line }: ReceivedRequest): PlannedAnswer {
  const error = { code: "EncryptionScopeNotFound", message: "There is no such scope." };
  return ANSWERS[line] ?? { status: 404, body: { error } };
}

/** Runs `atoll storage scopes ...`; also resolves to the requests after the one for a token. */
async function scopes(...argv: readonly string[]) {
  await using gateway = await startLoopback(answer);
  const at = { gateway: gateway.url, auth_url: gateway.url };
  await using folder = await dataFolderWith(exampleEndpoints(at));
  const result = await runCli(["storage", "scopes", ...argv, "--data", folder.path]);
  const requests = gateway.received.slice(1).map(({ line, body }) => `${line} ${body}`.trim());
  return { ...result, requests };
}

suite("atoll storage scopes", () => {
  test("lists the scopes of an account", async () => {
    const { out } = await scopes("list", "team1");
    assert.equal(out, `NAME    STATE    CREATED\nsecret  Enabled  ${time}`);
    const json: unknown = JSON.parse((await scopes("list", "team1", "-o", "json")).out);
    assert.deepEqual(json, [{ name: "secret", state: "Enabled", created: time }]);
  });

  test("makes, disables and enables a scope", async () => {
    const made = await scopes("add", "team1", "secret");
    assert.equal(made.out, `  name     secret\n  state    Enabled\n  created  ${time}`);
    assert.deepEqual(made.requests, [`PUT ${SCOPES}/secret${VERSION} {}`]);
    for (const [verb, state] of [
      ["disable", "Disabled"],
      ["enable", "Enabled"],
    ] as const) {
      const { requests, code } = await scopes(verb, "team1", "secret");
      const body = JSON.stringify({ properties: { state } });
      assert.deepEqual([code, requests], [0, [`PATCH ${SCOPES}/secret${VERSION} ${body}`]]);
    }
    const missing = await scopes("disable", "team1", "other");
    assert.equal(missing.code, 1);
    assert.match(
      missing.err,
      /There is no such scope\. npx atoll storage scopes list ACCOUNT shows/,
    );
  });
});

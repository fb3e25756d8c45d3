import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dataFolderWith, exampleEndpoints, runCli } from "../../test/support/cli.ts";
import {
  startLoopback,
  type PlannedAnswer,
  type ReceivedRequest,
} from "../../test/support/loopback.ts";

const jane = { id: "44444444-4444-4444-8444-444444444444", kind: "User", name: "jane" };
const granted = { token_type: "Bearer", expires_in: 3600, access_token: "token-of-client" };

function answer({ line }: ReceivedRequest): PlannedAnswer {
  if (line.startsWith("POST /common/oauth2/")) return { status: 200, body: granted };
  if (line === "GET /admin/principals?name=jane") return { status: 200, body: { value: [jane] } };
  if (line === "POST /admin/tokens") {
    return { status: 200, body: { ...granted, access_token: "token-of-jane" } };
  }
  return { status: 200, body: { value: [] } };
}

/** Runs the command against a gateway; also resolves to what the gateway received. */
async function token(argv: readonly string[], answers = answer) {
  await using gateway = await startLoopback(answers);
  const endpoints = exampleEndpoints({
    gateway: gateway.url,
    auth_url: gateway.url,
    management_base_url: `${gateway.url}/m`,
  });
  await using folder = await dataFolderWith(endpoints);
  const result = await runCli(["token", ...argv, "--data", folder.path]);
  return { ...result, received: gateway.received, url: gateway.url };
}

suite("atoll token", () => {
  test("prints the development client's token for the gateway, and nothing else", async () => {
    const { code, out, err, received, url } = await token([]);
    assert.deepEqual([code, out, err], [0, "token-of-client", ""]);
    assert.equal(received[0]?.line, "POST /common/oauth2/token");
    assert.deepEqual(Object.fromEntries(new URLSearchParams(received[0]?.body)), {
      grant_type: "client_credentials",
      client_id: "33333333-3333-4333-8333-333333333333",
      client_secret: "a-client-secret-of-some-length",
      resource: url,
    });
  });

  test("asks for the audience by name or URL, or for a scope", async () => {
    const asked = async (...argv: string[]) => {
      const { received, url } = await token(argv);
      const form = new URLSearchParams(received[0]?.body);
      return [received[0]?.line, form.get("resource")?.replace(url, ""), form.get("scope")];
    };
    const v1 = "POST /common/oauth2/token";
    assert.deepEqual(await asked("--audience", "management"), [v1, "/m", null]);
    assert.deepEqual(await asked("--audience", "storage"), [v1, "http://127.0.0.1:10000", null]);
    assert.deepEqual(await asked("--audience", "query"), [v1, "http://127.0.0.1:8081", null]);
    assert.deepEqual(await asked("--audience", "https://a.test"), [v1, "https://a.test", null]);
    const v2 = "POST /common/oauth2/v2.0/token";
    assert.deepEqual(await asked("--scope", "a/.default"), [v2, undefined, "a/.default"]);
    const { code, err } = await token(["--audience", "everything"]);
    assert.equal(code, 1);
    assert.match(err, /"everything" is neither a name nor a URL\. Use gateway, management/);
  });

  test("has a token made for another principal", async () => {
    const { out, received, url } = await token(["--principal", "jane", "-o", "json"]);
    assert.deepEqual(JSON.parse(out), { ...granted, access_token: "token-of-jane" });
    const last = received.at(-1);
    assert.equal(last?.authorization, "Bearer token-of-client");
    assert.deepEqual(JSON.parse(last?.body ?? ""), { principalId: jane.id, audience: url });
    const nobody = await token(["--principal", "joe"]);
    assert.equal(nobody.code, 1);
    assert.match(nobody.err, /no principal named joe\. npx atoll principals list/);
  });

  test("says what the server says when it refuses", async () => {
    const refused = { error: "invalid_client", error_description: "The secret is wrong." };
    const { code, out, err } = await token([], () => ({ status: 401, body: refused }));
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^Error: The secret is wrong\. /);
  });
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { suite, test } from "node:test";
import { parseEnv } from "node:util";
import { Settings, variableOf } from "#platform/config/settings.ts";
import { dataFolderWith, exampleEndpoints, runCli } from "../../test/support/cli.ts";
import { formatVariables } from "./env-formats.ts";
import { variablesOf } from "./env.ts";

const gateway = "http://127.0.0.1:8080";

suite("the variables of an instance", () => {
  test("are its endpoints, its credentials and a connection string", () => {
    assert.deepEqual(Object.fromEntries(variablesOf(exampleEndpoints({ ca_file: "/ca.pem" }))), {
      ATOLL_DATA: "/home/jane/.atoll",
      ATOLL_DATABASE: "NetDefaultDB",
      ATOLL_GATEWAY: gateway,
      ATOLL_CONSOLE: `${gateway}/console/`,
      ATOLL_AUTH_URL: gateway,
      ATOLL_AUTHORIZATION_BASE_URL: gateway,
      ATOLL_INFERENCE_ENDPOINT: gateway,
      ATOLL_JOBS_BASE_URL: gateway,
      ATOLL_MANAGEMENT_BASE_URL: gateway,
      ATOLL_TABLES_BASE_URL: gateway,
      ATOLL_SEARCH_ENDPOINT: gateway,
      ATOLL_CLUSTER_URI: "http://127.0.0.1:8081",
      ATOLL_INGESTION_URI: "http://127.0.0.1:8082",
      ATOLL_ACCOUNT_URL: "http://127.0.0.1:10000/devstoreaccount1",
      ATOLL_TENANT_ID: "11111111-1111-4111-8111-111111111111",
      ATOLL_SUBSCRIPTION_ID: "22222222-2222-8222-8222-222222222222",
      ATOLL_RESOURCE_GROUP: "local",
      ATOLL_CA_FILE: "/ca.pem",
      ATOLL_ADMIN_USERNAME: "admin",
      ATOLL_ADMIN_PASSWORD: 'it\'s a $ecret "word" \\ `x`',
      ATOLL_CLIENT_ID: "33333333-3333-4333-8333-333333333333",
      ATOLL_CLIENT_SECRET: "a-client-secret-of-some-length",
      ATOLL_INFERENCE_API_KEY: "key-of-inference",
      ATOLL_STORAGE_ACCOUNT: "devstoreaccount1",
      ATOLL_STORAGE_KEY: "c3RvcmFnZQ==",
      ATOLL_STORAGE_CONNECTION_STRING:
        "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=c3RvcmFnZQ==;" +
        "BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;",
    });
  });

  test("set no setting by accident, save the data folder", () => {
    const settings = new Set(Object.keys(Settings.properties).map(variableOf));
    const shared = [...variablesOf(exampleEndpoints()).keys()].filter((name) => settings.has(name));
    assert.deepEqual(shared, ["ATOLL_DATA"]);
  });
});

suite("the formats of env", () => {
  const values = new Map([
    ["PLAIN", "http://127.0.0.1:8080/a"],
    ["HARD", 'it\'s a $ecret "word" \\ `x` & more; #1'],
    ["LINES", "one\ntwo"],
    ["EMPTY", ""],
  ]);

  test("sh reads every value as it is", () => {
    const names = [...values.keys()].map((name) => `"$${name}"`).join(" ");
    const script = `${formatVariables("shell", values)}\nprintf '%s\\0' ${names}`;
    const seen = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0");
    assert.deepEqual(seen.slice(0, -1), [...values.values()]);
  });

  test("node --env-file reads what has not every kind of quote in it", () => {
    const readable = new Map([...values, ["HARD", 'it\'s a $ecret "word" \\ & more; #1']]);
    const seen = parseEnv(formatVariables("dotenv", readable));
    assert.deepEqual({ ...seen }, Object.fromEntries(readable));
  });

  test("PowerShell and fish get the quotes that they know", () => {
    const value = new Map([["A", "it's \\ $x"]]);
    assert.equal(formatVariables("powershell", value), "$env:A = 'it''s \\ $x'");
    assert.equal(formatVariables("fish", value), "set -gx A 'it\\'s \\\\ $x'");
  });
});

suite("atoll env", () => {
  test("shows the last instance when none is running", async () => {
    await using folder = await dataFolderWith(exampleEndpoints(), "last-endpoints.json");
    const { code, out } = await runCli(["env", "--data", folder.path]);
    assert.equal(code, 0);
    assert.ok(out.includes(`export ATOLL_GATEWAY='${gateway}'`));
  });

  test("answers in JSON with the object of endpoints.json, asked either way", async () => {
    await using folder = await dataFolderWith(exampleEndpoints());
    const expected = exampleEndpoints({ data: folder.path });
    for (const asked of [
      ["--format", "json"],
      ["-o", "json"],
    ]) {
      const { out } = await runCli(["env", ...asked, "--data", folder.path]);
      assert.deepEqual(JSON.parse(out), expected);
    }
  });
});
